import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ExceptionsPage } from "@/components/approvals/exceptions/exceptions-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/approvals/exceptions") };

export default async function Page() {
  await prefetch(trpc.exceptions.list.queryOptions());
  return (
    <HydrateClient>
      <ExceptionsPage />
    </HydrateClient>
  );
}
