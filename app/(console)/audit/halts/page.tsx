import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { HaltsPage } from "@/components/halts/halts-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/audit/halts") };

export default async function Page() {
  await prefetch(trpc.halts.list.queryOptions());
  return (
    <HydrateClient>
      <HaltsPage />
    </HydrateClient>
  );
}
