import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ConfinementMark } from "@/components/circuit-breakers/confinement-mark";
import { OpenCircuits } from "@/components/circuit-breakers/open-circuits";
import { PolicyPage } from "@/components/policies/policy-page";
import { everyAgent } from "@/components/trpc/every-page";

export const metadata: Metadata = { title: "Policy" };

export default async function Page({ params }: { params: Promise<{ policyId: string }> }) {
  const { policyId } = await params;
  await prefetch(
    trpc.policies.get.queryOptions({ policyId }),
    everyAgent(trpc),
    trpc.bench.cases.queryOptions({ policyId }),
    trpc.reviews.ofPolicy.queryOptions({ policyId }),
  );
  return (
    <HydrateClient>
      <OpenCircuits policyId={policyId} />
      <PolicyPage policyId={policyId} confinement={<ConfinementMark />} />
    </HydrateClient>
  );
}
