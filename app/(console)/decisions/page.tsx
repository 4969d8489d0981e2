import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { DecisionsPage } from "@/components/decisions/decisions-page";
import { decisionsInput, filterKeys, orderOf } from "@/components/decisions/query";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { parseKey } from "@/server/decisions/schema";

export const metadata: Metadata = { title: "Decisions" };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now());
  const filter = parseFilter(text("q") ?? "", filterKeys);
  const input = decisionsInput({ from, to }, filter, orderOf(text("sort")));
  const open = parseKey(text("open"));
  await prefetch(
    trpc.decisions.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.nextCursor }),
    trpc.decisions.facets.queryOptions({ range: { from, to } }),
    ...(open ? [trpc.decisions.get.queryOptions(open)] : []),
  );
  return (
    <HydrateClient>
      <DecisionsPage />
    </HydrateClient>
  );
}
