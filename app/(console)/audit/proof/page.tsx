import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { VerificationPage } from "@/components/audit/verification-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/audit/proof") };

export default async function Page() {
  await prefetch(trpc.audit.state.queryOptions());
  return (
    <HydrateClient>
      <VerificationPage />
    </HydrateClient>
  );
}
