"use client";

import { useDraftAutosave } from "@/components/layout/draft/use-draft-autosave";
import { useTRPCClient } from "@/components/trpc/client";
import { appCodeOf } from "@/components/trpc/failure";
import type { PolicyDetailView } from "@/server/policies/schema";

/** The draft of a policy as it is typed, and its keeper. */
export function useDraft(policy: PolicyDetailView): ReturnType<typeof useDraftAutosave> {
  const client = useTRPCClient();
  const { id } = policy;
  return useDraftAutosave(policy, {
    id,
    save: (draft) => client.policies.saveDraft.mutate({ policyId: id, ...draft }),
    held: () => client.policies.get.query({ policyId: id }),
    isMovedOn: (error) => appCodeOf(error) === "policy_moved_on",
  });
}
