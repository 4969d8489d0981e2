"use client";

import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import { orSecondPerson } from "@/components/layout/four-eyes/second-person";
import type { Binding } from "@/components/policies/labels";
import { counted, reach } from "@/components/policies/labels";
import { useBlockingOverride } from "@/components/policies/review/use-blocking-override";
import { CanaryFields } from "@/components/policies/rollout/canary-fields";
import { LimitFields } from "@/components/policies/rollout/limit-fields";
import { type CanaryChoice, readCanary } from "@/components/policies/rollout/read-canary";
import { limitsChoice, readLimits } from "@/components/policies/rollout/read-limits";
import { useCanaryAgents } from "@/components/policies/rollout/use-canary-agents";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

export interface CanaryDialogProps {
  open: boolean;
  onClose: () => void;
  policy: PolicyDetailView;
  revision: number;
  binding: Binding;
}

/** Begins a canary with a published revision, or changes whom it reaches. */
export function CanaryDialog(props: CanaryDialogProps) {
  return props.open ? <Choice {...props} /> : null;
}

function Choice({ onClose, policy, revision, binding }: CanaryDialogProps) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const { canary } = policy;
  const [choice, setChoice] = useState<CanaryChoice>({
    share: String(canary?.share ?? 10),
    groupId: canary?.group?.id ?? null,
  });
  const [limits, setLimits] = useState(() => limitsChoice(canary ? canary.limits : undefined));
  const { isEmpty } = useCanaryAgents(policy.id, choice);
  const blocking = useBlockingOverride(policy.name);
  const { onError } = orSecondPerson("set_canary");
  const input = () => {
    const read = readCanary(choice);
    if (typeof read === "string") throw new Error(read);
    const own = readLimits(limits);
    if (typeof own === "string") throw new Error(own);
    if (isEmpty) throw new Error("The canary has no agents. Choose a larger share or a group.");
    const expectedCanary = canary?.revision ?? null;
    return { policyId: policy.id, revision, ...read, limits: own, expectedCanary, ...blocking.sent };
  };
  return (
    <ActDialog
      mutation={trpc.policies.setCanary.mutationOptions({
        onError: (error, asked) => {
          onError(error, asked);
          blocking.note(error);
        },
      })}
      input={input}
      isPreparing={blocking.isHeld}
      onClose={onClose}
      title={canary ? `Canary of revision ${revision}` : `Start a canary of revision ${revision}?`}
      confirm={canary ? "Change canary" : "Start canary"}
      danger={false}
      onDone={async () => {
        await renew();
        toast.success(`Revision ${revision} is in canary`);
      }}
    >
      <CanaryFields policyId={policy.id} value={choice} onChange={setChoice} />
      <LimitFields value={limits} onChange={setLimits} liveRevision={policy.liveRevision} />
      <p>
        The policy applies to {counted(reach(binding), "agent")}. Agents outside the canary{" "}
        {policy.liveRevision === 0 ? "run without it" : `stay on revision ${policy.liveRevision}`}. Each change resets
        the figures.
      </p>
      {blocking.fields}
    </ActDialog>
  );
}
