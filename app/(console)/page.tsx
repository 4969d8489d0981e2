import type { Metadata } from "next";
import { OverviewNotices } from "@/app/(console)/notices";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { resolveRange } from "@/components/layout/time-range/range";
import { OverviewPage } from "@/components/overview/overview-page";

export const metadata: Metadata = { title: "Overview" };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const text = [(await searchParams).range].flat()[0] ?? null;
  const { from, to } = resolveRange(text, Date.now());
  const input = { from, to };
  await prefetch(
    trpc.overview.start.queryOptions(),
    trpc.overview.summary.queryOptions(input),
    trpc.overview.series.queryOptions(input),
    trpc.overview.finalDecisions.queryOptions(input),
    trpc.overview.marks.queryOptions(input),
    trpc.overview.recentDenials.queryOptions(input),
    trpc.overview.topDenied.queryOptions(input),
    trpc.overview.agents.queryOptions(input),
    trpc.shadowMode.sums.queryOptions(),
    trpc.alerts.summary.queryOptions(),
    trpc.coverage.sums.queryOptions(input),
    trpc.budgets.overThreshold.queryOptions(),
  );
  return (
    <HydrateClient>
      <OverviewNotices>
        <OverviewPage />
      </OverviewNotices>
    </HydrateClient>
  );
}
