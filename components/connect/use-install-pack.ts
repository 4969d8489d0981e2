"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { usePutInForce } from "@/components/layout/put-in-force/use-put-in-force";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { PackView } from "@/server/packs/schema";

/**
 * Puts a pack in force for one agent. A published policy of the pack is assigned to this agent too; without one, the pack
 * is installed, assigned and published.
 */
export function useInstallPack(agentId: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const made = usePutInForce();
  const assign = useMutation(trpc.policies.assign.mutationOptions(orSecondPerson("assign")));
  const assignToo = async (policyId: string) => {
    const { tags, groups, agents } = await client.policies.get.query({ policyId });
    const agentIds = [...new Set([...agents.map(({ id }) => id), agentId])];
    await assign.mutateAsync({ policyId, scope: "chosen", tags, groupIds: groups.map(({ id }) => id), agentIds });
    await Promise.all(
      [trpc.policies.pathKey(), trpc.agents.pathKey(), trpc.packs.pathKey(), trpc.setup.pathKey()].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  };
  const putInForce = async (pack: PackView) => {
    const published = publishedOf(pack);
    if (published !== undefined) return assignToo(published.policyId);
    const targets = { scope: "chosen", agentIds: [agentId] } as const;
    await made.putInForce({ from: { packId: pack.id }, targets, isPublished: true });
  };
  return { putInForce, error: assign.error ?? made.error, isBusy: assign.isPending || made.isBusy };
}

/** The policy of the pack that a further agent is assigned to. */
export const publishedOf = ({ installed }: PackView) => installed.find(({ isPublished }) => isPublished);
