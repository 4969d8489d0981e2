import type { Metadata } from "next";
import { Home } from "@/app/(console)/home";
import { OverviewNotices } from "@/app/(console)/notices";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { Checklist } from "@/components/connect/checklist";
import { titleOf } from "@/components/layout/nav";
import { resolveRange } from "@/components/layout/time-range/range";

export const metadata: Metadata = { title: titleOf("/") };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const text = [(await searchParams).range].flat()[0] ?? null;
  const { from, to } = resolveRange(text, Date.now());
  const input = { from, to };
  await prefetch(
    trpc.homeCards.get.queryOptions(),
    trpc.overview.start.queryOptions(),
    trpc.setup.checklist.queryOptions(),
    trpc.overview.gaps.queryOptions(),
    trpc.overview.summary.queryOptions(input),
    trpc.overview.series.queryOptions(input),
    trpc.overview.marks.queryOptions(input),
    trpc.overview.recentDenials.queryOptions(input),
    trpc.overview.agentChanges.queryOptions(input),
    trpc.overview.spendToday.queryOptions(),
    trpc.approvals.list.queryOptions(),
    trpc.reviews.list.queryOptions({ which: "current" }),
    trpc.reviews.changes.queryOptions(),
    trpc.alerts.summary.queryOptions(),
    trpc.shadowMode.sums.queryOptions(),
    trpc.budgets.overThreshold.queryOptions(),
  );
  return (
    <HydrateClient>
      <OverviewNotices>
        <Home checklist={<Checklist />} />
      </OverviewNotices>
    </HydrateClient>
  );
}
