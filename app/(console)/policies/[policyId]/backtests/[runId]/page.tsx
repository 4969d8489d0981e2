import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { BacktestPage } from "@/components/backtest/backtest-page";

export const metadata: Metadata = { title: "Backtest" };

export default async function Page({ params }: { params: Promise<{ policyId: string; runId: string }> }) {
  const { policyId, runId } = await params;
  await prefetch(trpc.backtest.get.queryOptions({ policyId, runId }));
  return (
    <HydrateClient>
      <BacktestPage policyId={policyId} runId={runId} />
    </HydrateClient>
  );
}
