import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { titleOf } from "@/components/layout/nav";
import { PacksPage } from "@/components/policies/packs/packs-page";

export const metadata: Metadata = { title: titleOf("/policies/packs") };

export default async function Page() {
  await prefetch(trpc.packs.list.queryOptions());
  return (
    <HydrateClient>
      <PacksPage />
    </HydrateClient>
  );
}
