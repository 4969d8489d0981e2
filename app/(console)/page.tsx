import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { FiringAlerts } from "@/components/alerts/firing-alerts";
import { BudgetBanner } from "@/components/budgets/budget-banner";
import { OpenCircuits } from "@/components/circuit-breakers/open-circuits";
import { resolveRange } from "@/components/layout/time-range/range";
import { OverviewPage } from "@/components/overview/overview-page";
import { ObservedNotice } from "@/components/policies/rollout/observed-notice";

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
    trpc.observations.sums.queryOptions(),
    trpc.alerts.summary.queryOptions(),
    trpc.unseen.sums.queryOptions(input),
    trpc.budgets.standings.queryOptions(),
  );
  return (
    <HydrateClient>
      <FiringAlerts />
      <OpenCircuits />
      <ObservedNotice />
      <BudgetBanner />
      <OverviewPage />
    </HydrateClient>
  );
}
