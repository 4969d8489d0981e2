import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AgentsPage } from "@/components/agents/agents-page";
import { everyAgent } from "@/components/trpc/every-page";

export const metadata: Metadata = { title: "Agents" };

export default async function Page() {
  await prefetch(everyAgent(trpc), trpc.agents.groups.queryOptions());
  return (
    <HydrateClient>
      <AgentsPage />
    </HydrateClient>
  );
}
