import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { CallsView } from "@/components/decisions/calls-view";
import { decisionsInput, filterKeys, frozenAt, frozenRange, orderOf } from "@/components/decisions/query";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { type DecisionRange, decisionKey } from "@/server/decisions/schema";
import { parseEventKey } from "@/server/recording/event-key-schema";

export const metadata: Metadata = { title: titleOf("/activity") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now());
  await prefetchCalls(text, { from, to });
  return (
    <HydrateClient>
      <CallsView />
    </HydrateClient>
  );
}

async function prefetchCalls(text: (name: string) => string | null, range: DecisionRange): Promise<void> {
  const at = frozenAt(text("at"));
  const { from, to } = at ? frozenRange(range, at) : range;
  const filter = parseFilter(text("q") ?? "", filterKeys);
  const input = decisionsInput({ from, to }, filter, orderOf(text("sort")));
  const open = parseEventKey(text("open"), decisionKey);
  await prefetch(
    trpc.decisions.calls.infiniteQueryOptions(input, { getNextPageParam: (page) => page.nextCursor }),
    trpc.decisions.callFacets.queryOptions({ range: input.range, filters: input.filters }),
    trpc.decisions.callSeries.queryOptions({ range: { from, to }, filters: input.filters }),
    trpc.principals.names.queryOptions(),
    ...(open ? [trpc.decisions.get.queryOptions(open)] : []),
  );
}
