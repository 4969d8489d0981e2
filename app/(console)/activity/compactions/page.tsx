import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { CompactionsPage } from "@/components/compactions/compactions-page";
import { attemptsInput, filterKeys, groupByOf, viewOf } from "@/components/compactions/query";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { parseEventKey } from "@/server/recording/event-key-schema";

export const metadata: Metadata = { title: titleOf("/activity/compactions") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now(), "24h", true);
  const input = attemptsInput({ from, to }, parseFilter(text("q") ?? "", filterKeys));
  const open = parseEventKey(text("open"));
  const by = groupByOf(text("by"));
  if (viewOf(text("view")) === "trends")
    await prefetch(
      trpc.compactions.trend.queryOptions({ from, to, by }),
      trpc.compactions.breakdown.queryOptions({ from, to, by }),
    );
  await prefetch(
    trpc.compactions.summary.queryOptions({ from, to }),
    trpc.compactions.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next }),
    ...(open ? [trpc.compactions.get.queryOptions(open)] : []),
  );
  return (
    <HydrateClient>
      <CompactionsPage />
    </HydrateClient>
  );
}
