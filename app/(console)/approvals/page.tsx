import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ApprovalsPage } from "@/components/approvals/approvals-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/approvals") };

export default async function Page() {
  await prefetch(trpc.approvals.list.queryOptions(), trpc.principals.names.queryOptions());
  return (
    <HydrateClient>
      <ApprovalsPage />
    </HydrateClient>
  );
}
