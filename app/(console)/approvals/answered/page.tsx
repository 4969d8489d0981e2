import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AnsweredPage } from "@/components/approvals/answered-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/approvals/answered") };

export default async function Page() {
  await prefetch(trpc.approvals.list.queryOptions(), trpc.principals.names.queryOptions());
  return (
    <HydrateClient>
      <AnsweredPage />
    </HydrateClient>
  );
}
