import type { Metadata } from "next";
import { PolicyNotices } from "@/app/(console)/notices";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ConfinementMark } from "@/components/circuit-breakers/confinement-mark";
import { PolicyPage } from "@/components/policies/policy-page";
import { everyAgent } from "@/components/trpc/every-page";

export const metadata: Metadata = { title: "Policy" };

export default async function Page({ params }: { params: Promise<{ policyId: string }> }) {
  const { policyId } = await params;
  await prefetch(
    trpc.policies.get.queryOptions({ policyId }),
    everyAgent(trpc),
    trpc.playground.cases.queryOptions({ policyId }),
    trpc.reviews.ofPolicy.queryOptions({ policyId }),
    trpc.rules.reach.queryOptions({ policyId }),
    trpc.circuitBreakers.list.queryOptions(),
    trpc.circuitBreakers.confinement.queryOptions(),
  );
  return (
    <HydrateClient>
      <PolicyNotices policyId={policyId}>
        <PolicyPage policyId={policyId} confinement={<ConfinementMark />} />
      </PolicyNotices>
    </HydrateClient>
  );
}
