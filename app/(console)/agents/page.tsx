import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AgentsPage } from "@/components/agents/agents-page";

export const metadata: Metadata = { title: "Agents" };

export default async function Page() {
  await prefetch(trpc.agents.list.queryOptions(), trpc.agents.groups.queryOptions());
  return (
    <HydrateClient>
      <AgentsPage />
    </HydrateClient>
  );
}
