import type { Metadata } from "next";
import { CostNotices } from "@/app/(console)/notices";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { CostsPage } from "@/components/costs/costs-page";
import { callsInput, filterKeys, groupingOf, seriesByOf, sessionCostsInputOf, viewOf } from "@/components/costs/query";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { parseEventKey } from "@/server/recording/event-key-schema";

export const metadata: Metadata = { title: titleOf("/spend") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const { from, to } = resolveRange(text("range"), Date.now(), "24h", true);
  const input = { from, to };
  const view = viewOf(text("view"), text("q"));
  const open = parseEventKey(text("open"));
  const filter = parseFilter(text("q") ?? "", filterKeys);
  const calls = callsInput(input, filter);
  await prefetch(
    trpc.costs.summary.queryOptions(input),
    trpc.costs.byModel.queryOptions(input),
    trpc.costs.byAgent.queryOptions(input),
    trpc.budgets.overThreshold.queryOptions(),
    ...(view === "groups" || view === "calls" ? [trpc.principals.names.queryOptions()] : []),
    ...(view === "breakdown"
      ? [
          trpc.costs.series.queryOptions({ ...input, by: seriesByOf(text("by")) }),
          trpc.costs.previous.queryOptions(input),
          trpc.overview.marks.queryOptions(input),
          trpc.judges.summary.queryOptions(input),
          trpc.prompts.costs.queryOptions(input),
          trpc.costs.compactions.queryOptions(input),
        ]
      : []),
    ...(view === "groups"
      ? [
          trpc.costs.pivot.queryOptions({ ...input, ...groupingOf(text("by"), text("split")) }),
          trpc.calendar.view.queryOptions(),
        ]
      : []),
    ...(view === "statements" ? [trpc.statements.months.queryOptions()] : []),
    ...(view === "sessions" ? [trpc.costs.bySession.queryOptions(sessionCostsInputOf(input, filter))] : []),
    ...(view === "calls"
      ? [trpc.costs.calls.infiniteQueryOptions(calls, { getNextPageParam: (page) => page.next })]
      : []),
    ...(view === "calls" && open ? [trpc.costs.callDetail.queryOptions(open)] : []),
  );
  return (
    <HydrateClient>
      <CostNotices>
        <CostsPage />
      </CostNotices>
    </HydrateClient>
  );
}
