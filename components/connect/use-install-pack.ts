"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import type { PackView } from "@/server/packs/schema";

/** Installs a pack, assigns it to one agent and publishes it. A second attempt continues with the policy of the first. */
export function useInstallPack(agentId: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const installed = useRef(new Map<string, string>());
  const install = useMutation(trpc.packs.install.mutationOptions());
  const assign = useMutation(trpc.policies.assign.mutationOptions(orSecondPerson("assign")));
  const publish = useMutation(trpc.policies.publish.mutationOptions());
  const putInForce = async (pack: PackView) => {
    const policyId = installed.current.get(pack.id) ?? (await install.mutateAsync({ packId: pack.id })).policyId;
    installed.current.set(pack.id, policyId);
    await assign.mutateAsync({ policyId, scope: "chosen", groupIds: [], agentIds: [agentId] });
    const { source, latestRevision, draftVersion } = await client.policies.get.query({ policyId });
    await publish.mutateAsync({ policyId, source, note: pack.title, baseRevision: latestRevision, draftVersion });
    await Promise.all(
      [trpc.policies.pathKey(), trpc.agents.pathKey(), trpc.packs.pathKey(), trpc.setup.pathKey()].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  };
  return {
    putInForce,
    error: install.error ?? assign.error ?? publish.error,
    isBusy: install.isPending || assign.isPending || publish.isPending,
  };
}
