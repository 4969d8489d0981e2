import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { EnrolmentPage } from "@/components/agents/enrolment-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/agents/enrolment") };

export default async function Page() {
  await prefetch(trpc.agents.enrolmentTokens.queryOptions());
  return (
    <HydrateClient>
      <EnrolmentPage />
    </HydrateClient>
  );
}
