"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { PackView } from "@/server/packs/schema";

/**
 * Puts a pack in force for one agent. A published policy of the pack is assigned to this agent too; without one, the pack
 * is installed, assigned and published. A second attempt continues with the policy of the first.
 */
export function useInstallPack(agentId: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const installed = useRef(new Map<string, string>());
  const install = useMutation(trpc.packs.install.mutationOptions());
  const assign = useMutation(trpc.policies.assign.mutationOptions(orSecondPerson("assign")));
  const publish = useMutation(trpc.policies.publish.mutationOptions());
  const renew = () =>
    Promise.all(
      [trpc.policies.pathKey(), trpc.agents.pathKey(), trpc.packs.pathKey(), trpc.setup.pathKey()].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const assignToo = async (policyId: string) => {
    const { tags, groups, agents } = await client.policies.get.query({ policyId });
    const agentIds = [...new Set([...agents.map(({ id }) => id), agentId])];
    await assign.mutateAsync({ policyId, scope: "chosen", tags, groupIds: groups.map(({ id }) => id), agentIds });
  };
  const putInForce = async (pack: PackView) => {
    const published = publishedOf(pack);
    if (published !== undefined) {
      await assignToo(published.policyId);
      return renew();
    }
    const policyId = installed.current.get(pack.id) ?? (await install.mutateAsync({ packId: pack.id })).policyId;
    installed.current.set(pack.id, policyId);
    await assign.mutateAsync({ policyId, scope: "chosen", groupIds: [], agentIds: [agentId] });
    const { source, latestRevision, draftVersion } = await client.policies.get.query({ policyId });
    await publish.mutateAsync({ policyId, source, note: pack.title, baseRevision: latestRevision, draftVersion });
    return renew();
  };
  return {
    putInForce,
    error: install.error ?? assign.error ?? publish.error,
    isBusy: install.isPending || assign.isPending || publish.isPending,
  };
}

/** The policy of the pack that a further agent is assigned to. */
export const publishedOf = ({ installed }: PackView) => installed.find(({ isPublished }) => isPublished);
