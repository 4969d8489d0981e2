import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { BacktestsPage } from "@/components/backtest/backtests-page";

export const metadata: Metadata = { title: "Backtests" };

export default async function Page({ params }: { params: Promise<{ policyId: string }> }) {
  const { policyId } = await params;
  await prefetch(trpc.policies.get.queryOptions({ policyId }), trpc.backtest.list.queryOptions({ policyId }));
  return (
    <HydrateClient>
      <BacktestsPage policyId={policyId} />
    </HydrateClient>
  );
}
