"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { orSecondPerson, worded } from "@/components/layout/four-eyes/second-person";
import {
  type Binding,
  counted,
  type EventChange,
  eventChanges,
  eventChangeWords,
  whom,
} from "@/components/policies/labels";
import { BrakeField, duringFreeze } from "@/components/policies/rollout/brake-field";
import { useFreeze, useRefresh } from "@/components/policies/rollout/use-rollout";
import { useServerCheck } from "@/components/policies/use-check";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

export interface PutInForceDialogProps {
  policy: PolicyDetailView;
  binding: Binding;
  /** The revision to put in force, and its text; closed when null. */
  chosen: { readonly number: number; readonly source: string } | null;
  onClose: () => void;
}

/** Puts another published revision in force for every agent, after a confirmation. A toast offers to undo it. */
export function PutInForceDialog({ chosen, ...rest }: PutInForceDialogProps) {
  return chosen === null ? null : <Question chosen={chosen} {...rest} />;
}

type Chosen = NonNullable<PutInForceDialogProps["chosen"]>;

function Question({ policy, binding, chosen, onClose }: PutInForceDialogProps & { chosen: Chosen }) {
  const isFrozen = useFreeze() != null;
  const [reason, setReason] = useState("");
  const putInForce = usePutInForce();
  const differences = useDifferences(policy.publishedSource, chosen.source, policy.liveRevision);
  const { number } = chosen;
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      isPreparing={differences.isPending}
      title={`Put revision ${number} of ${policy.name} in force?`}
      confirm={`Put revision ${number} in force`}
      danger={false}
      onConfirm={() =>
        putInForce({
          policyId: policy.id,
          number,
          expectedLive: policy.liveRevision,
          ...duringFreeze(isFrozen, reason),
        })
      }
    >
      <p>
        {binding.scope === "nobody"
          ? "The policy binds nobody now, so no agent notices."
          : `It answers ${whom(binding)}, from their next event on.`}{" "}
        {policy.liveRevision === 0
          ? "Nothing is in force for everyone now."
          : `Revision ${policy.liveRevision} is not in force any more; it stays in the list.`}
      </p>
      <Differences {...differences} />
      {policy.canary ? (
        <p>
          The canary of revision {policy.canary.revision} ends: {counted(policy.canary.inside, "agent")} in it get
          revision {number} too.
        </p>
      ) : null}
      {policy.observed ? (
        <p>The policy stays observed only: revision {number} answers nobody until that ends.</p>
      ) : null}
      <p>The draft stays as it is.</p>
      <BrakeField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

interface DifferencesFound {
  readonly isPending: boolean;
  /** Null while it is pending, without a revision in force, and after a failure. */
  readonly changes: readonly EventChange[] | null;
  readonly isSameText: boolean;
  readonly failure: string | null;
}

/** The hooks that each event has more or fewer. With a failure nothing waits: a roll back may be urgent. */
function useDifferences(before: string, after: string, live: number): DifferencesFound {
  const was = useServerCheck(before);
  const will = useServerCheck(after);
  const isSameText = before === after;
  if (live === 0 || isSameText) return { isPending: false, changes: null, isSameText: live > 0, failure: null };
  const failure = was.failure ?? will.failure;
  const changes = was.view && will.view ? eventChanges(was.view.events, will.view.events) : null;
  return { isPending: changes === null && failure === null, changes, isSameText, failure };
}

function Differences({ isPending, changes, isSameText, failure }: DifferencesFound) {
  if (isPending) return <p>Comparing the two texts …</p>;
  if (failure !== null) return <p>The two texts could not be compared: {failure}</p>;
  if (isSameText) return <p>The two texts are the same.</p>;
  if (changes === null) return null;
  if (changes.length === 0) return <p>The same events have as many hooks as before; their text differs.</p>;
  return (
    <ul className="list-disc pl-4">
      {changes.map((change) => (
        <li key={change.event}>
          <code>{eventChangeWords(change)}</code>
        </li>
      ))}
    </ul>
  );
}

interface RollBack {
  readonly policyId: string;
  readonly number: number;
  readonly expectedLive: number;
  readonly duringFreeze?: string;
}

/** Puts a revision in force, confirms it in a toast, and offers to undo it. Rejects with a sentence. */
export function usePutInForce(): (chosen: RollBack) => Promise<void> {
  const trpc = useTRPC();
  const renew = useRefresh();
  const rollBack = useMutation(trpc.policies.rollBack.mutationOptions(orSecondPerson("roll_back")));
  const put = async (chosen: RollBack): Promise<void> => {
    const done = await worded(rollBack.mutateAsync(chosen));
    await renew();
    const { policyId, number, from, agents, name } = done;
    const back = { ...chosen, policyId, number: from, expectedLive: number };
    toast.success(`Revision ${number} of ${name} is in force`, {
      description: `It binds ${counted(agents, "agent")}.`,
      duration: 15_000,
      ...(from > 0 ? { action: { label: "Undo", onClick: () => void undo(back) } } : {}),
    });
  };
  const undo = (back: RollBack) =>
    put(back).catch((error: unknown) => {
      toast.error("Nothing was undone", { description: failureSentence(error) });
    });
  return put;
}
