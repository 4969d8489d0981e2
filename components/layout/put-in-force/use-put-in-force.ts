"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { appCodeOf } from "@/components/trpc/failure";
import type { InstallPack } from "@/server/packs/schema";
import type { AssignPolicy } from "@/server/policies/assignments/assignment-schema";
import type { CreatePolicy } from "@/server/policies/schema";

/** The agents of a new policy. "later": no assignment is written. */
export interface PolicyTargets {
  readonly scope: AssignPolicy["scope"] | "later";
  readonly tags?: readonly string[];
  readonly groupIds?: readonly string[];
  readonly agentIds?: readonly string[];
  readonly personIds?: readonly string[];
  readonly signOnGroupIds?: readonly string[];
}

export interface NewPolicy {
  /** A pack, or a text with its name. A taken name gets a number. */
  readonly from: InstallPack | Required<CreatePolicy>;
  readonly targets: PolicyTargets;
  /** False leaves a draft. */
  readonly isPublished: boolean;
}

/** `published` is null for a draft. */
export interface MadePolicy {
  readonly policyId: string;
  readonly published: { readonly name: string; readonly number: number; readonly agents: number; entry: number } | null;
}

const NAMES_MAX = 20;

/**
 * Creates a policy, assigns it, and publishes it: one act for a pack and for a text. A second attempt after a failure
 * continues with the policy of the first.
 */
export function usePutInForce() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const made = useRef(new Map<string, string>());
  const install = useMutation(trpc.packs.install.mutationOptions());
  const create = useMutation(trpc.policies.create.mutationOptions());
  const assign = useMutation(trpc.policies.assign.mutationOptions(orSecondPerson("assign")));
  const publish = useMutation(trpc.policies.publish.mutationOptions());
  const renew = () =>
    Promise.all(
      [trpc.policies, trpc.agents, trpc.packs, trpc.setup, trpc.budgets].map((router) =>
        queries.invalidateQueries({ queryKey: router.pathKey() }),
      ),
    );
  const createNumbered = async ({ name, source }: Required<CreatePolicy>, count = 1): Promise<string> => {
    try {
      return (await create.mutateAsync({ name: count === 1 ? name : `${name} ${count}`, source })).policyId;
    } catch (error) {
      if (appCodeOf(error) !== "name_taken" || count === NAMES_MAX) throw error;
      return createNumbered({ name, source }, count + 1);
    }
  };
  const policyOf = async (from: NewPolicy["from"]): Promise<string> => {
    const key = JSON.stringify(from);
    const known = made.current.get(key);
    if (known !== undefined) return known;
    const policyId = "packId" in from ? (await install.mutateAsync(from)).policyId : await createNumbered(from);
    made.current.set(key, policyId);
    return policyId;
  };
  const putInForce = async ({ from, targets, isPublished }: NewPolicy): Promise<MadePolicy> => {
    try {
      const policyId = await policyOf(from);
      const { scope, tags = [], groupIds = [], agentIds = [], personIds, signOnGroupIds } = targets;
      if (scope !== "later")
        await assign.mutateAsync({
          ...{ policyId, scope },
          ...{ tags: [...tags], groupIds: [...groupIds], agentIds: [...agentIds] },
          ...(personIds && { personIds: [...personIds] }),
          ...(signOnGroupIds && { signOnGroupIds: [...signOnGroupIds] }),
        });
      if (!isPublished) return { policyId, published: null };
      const { source, latestRevision, draftVersion } = await client.policies.get.query({ policyId });
      const asked = { policyId, source, note: "", baseRevision: latestRevision, draftVersion };
      return { policyId, published: await publish.mutateAsync(asked) };
    } finally {
      await renew();
    }
  };
  const steps = [install, create, assign, publish];
  return {
    putInForce,
    /** The policy of the first attempt, also when its publication failed. */
    policyId: install.data?.policyId ?? create.data?.policyId ?? null,
    error: steps.find(({ error }) => error !== null)?.error ?? null,
    isBusy: steps.some(({ isPending }) => isPending),
  };
}
