import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { PoliciesPage } from "@/components/policies/policies-page";

export const metadata: Metadata = { title: "Policies" };

export default async function Page() {
  await prefetch(
    trpc.policies.list.queryOptions(),
    trpc.agents.list.queryOptions(),
    trpc.reviews.waiting.queryOptions(),
    trpc.observations.sums.queryOptions(),
  );
  return (
    <HydrateClient>
      <PoliciesPage />
    </HydrateClient>
  );
}
