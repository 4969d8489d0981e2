import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { ClientsPage } from "@/components/agents/clients/clients-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/agents/clients") };

export default async function Page() {
  await prefetch(trpc.agents.clients.queryOptions());
  return (
    <HydrateClient>
      <ClientsPage />
    </HydrateClient>
  );
}
