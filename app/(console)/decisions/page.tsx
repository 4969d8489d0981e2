import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { DecisionsPage } from "@/components/decisions/decisions-page";
import {
  decisionsInput,
  filterKeys,
  frozenAt,
  frozenRange,
  orderOf,
  viewOf,
  whichOf,
} from "@/components/decisions/query";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { parseRuleKey } from "@/server/decisions/rules/schema";
import { type DecisionRange, decisionKey } from "@/server/decisions/schema";
import { parseEventKey } from "@/server/recording/event-key-schema";

export const metadata: Metadata = { title: "Decisions" };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now());
  const view = viewOf(text("view"));
  if (view === "settled") {
    const asked = { from, to, verdict: whichOf(text("which")) };
    await prefetch(
      trpc.decisions.approvalSources.queryOptions(asked),
      trpc.decisions.approvalSourceSeries.queryOptions(asked),
    );
  } else if (view === "rules") {
    const rule = parseRuleKey(text("open"));
    await prefetch(
      trpc.rules.cards.queryOptions({ from, to }),
      ...(rule ? [trpc.rules.get.queryOptions({ from, to, rule })] : []),
    );
  } else {
    await prefetchCalls(text, { from, to });
  }
  return (
    <HydrateClient>
      <DecisionsPage />
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
    trpc.decisions.callSeries.queryOptions({ range: { from, to } }),
    ...(open ? [trpc.decisions.get.queryOptions(open)] : []),
  );
}
