import type { Metadata } from "next";
import { PoliciesNotices } from "@/app/(console)/notices";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { PoliciesPage } from "@/components/policies/policies-page";
import { everyAgent, everyPolicy } from "@/components/trpc/every-page";

export const metadata: Metadata = { title: titleOf("/policies") };

export default async function Page() {
  await prefetch(
    everyPolicy(trpc),
    everyAgent(trpc),
    trpc.reviews.waiting.queryOptions(),
    trpc.shadowMode.sums.queryOptions(),
  );
  return (
    <HydrateClient>
      <PoliciesNotices>
        <PoliciesPage />
      </PoliciesNotices>
    </HydrateClient>
  );
}
