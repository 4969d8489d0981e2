import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { AgentPage } from "@/components/agents/agent-page";
import { AgentHalts } from "@/components/halts/agent-halts";
import { UncheckedTools } from "@/components/inventory/unchecked-tools";

export const metadata: Metadata = { title: "Agent" };

export default async function Page({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  await prefetch(
    trpc.agents.get.queryOptions({ agentId }),
    trpc.policies.applying.queryOptions({ agentId }),
    trpc.halts.ofAgent.queryOptions({ agentId }),
    trpc.inventory.unchecked.queryOptions({ agentId }),
    trpc.principals.owner.queryOptions({ agentId }),
    trpc.principals.names.queryOptions(),
  );
  return (
    <HydrateClient>
      <AgentPage
        agentId={agentId}
        halts={<AgentHalts agentId={agentId} />}
        tools={<UncheckedTools agentId={agentId} />}
      />
    </HydrateClient>
  );
}
