"use client";

import type { BlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { orSecondPerson, worded } from "@/components/layout/four-eyes/second-person";
import { toastWithUndo } from "@/components/layout/undo-toast";
import {
  type Binding,
  counted,
  type EventChange,
  eventChanges,
  eventChangeWords,
  whom,
} from "@/components/policies/labels";
import { useBlockingOverride } from "@/components/policies/review/use-blocking-override";
import { BrakeField, duringFreeze } from "@/components/policies/rollout/brake-field";
import { useFreeze, useRefresh } from "@/components/policies/rollout/use-rollout";
import { useServerCheck } from "@/components/policies/use-check";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
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
  const blocking = useBlockingOverride(policy.name);
  const putInForce = usePutInForce(blocking.note);
  const differences = useDifferences(policy.publishedSource, chosen.source, policy.liveRevision);
  const { number } = chosen;
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      isPreparing={differences.isPending || blocking.isHeld}
      title={`Roll back ${policy.name} to revision ${number}?`}
      confirm={`Roll back to revision ${number}`}
      danger={false}
      onConfirm={() =>
        putInForce({
          policyId: policy.id,
          number,
          expectedLive: policy.liveRevision,
          ...duringFreeze(isFrozen, reason),
          ...blocking.sent,
        })
      }
    >
      <p>
        {binding.scope === "nobody"
          ? "The policy applies to no agent."
          : `The revision applies to ${whom(binding)} from the next event.`}{" "}
        {policy.liveRevision === 0
          ? policy.canary
            ? "At present, only the canary has a revision in force."
            : "At present, no revision is in force."
          : `Revision ${policy.liveRevision} will no longer be in force, but stays under Revisions.`}
      </p>
      <Differences {...differences} />
      {policy.canary ? (
        <p>
          The canary of revision {policy.canary.revision} ends: {counted(policy.canary.inside, "agent")} in it get
          revision {number} too.
        </p>
      ) : null}
      {policy.observed ? (
        <p>The policy stays in monitor mode: revision {number} is only observed until monitor mode ends.</p>
      ) : null}
      <p>The draft does not change.</p>
      <BrakeField value={reason} onChange={setReason} />
      {blocking.fields}
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
  if (isPending) return <p>Comparing the revisions…</p>;
  if (failure !== null) return <p>The revisions could not be compared: {failure}</p>;
  if (isSameText) return <p>The revisions are identical.</p>;
  if (changes === null) return null;
  if (changes.length === 0) return <p>Events and hook counts are the same. The YAML differs.</p>;
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
  readonly override?: { readonly typed: string; readonly reason: string; readonly rules: BlockingRule[] };
  /** The audit entry of the act that this one undoes. */
  readonly undoes?: number;
}

/** Puts a revision in force for every agent. Rejects with a sentence; `onFailure` gets the error itself. */
export function useRollBack(onFailure?: (error: unknown) => void) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const { onError } = orSecondPerson("roll_back");
  const rollBack = useMutation(
    trpc.policies.rollBack.mutationOptions({
      onError: (error, input) => {
        onError(error, input);
        onFailure?.(error);
      },
    }),
  );
  return async (chosen: RollBack) => {
    const done = await worded(rollBack.mutateAsync(chosen));
    await renew();
    return done;
  };
}

/** Puts a revision in force, confirms it in a toast, and offers to undo it. Rejects with a sentence. */
export function usePutInForce(onFailure?: (error: unknown) => void): (chosen: RollBack) => Promise<void> {
  const rollBack = useRollBack(onFailure);
  return async (chosen) => {
    const { policyId, number, from, agents, name, entry } = await rollBack(chosen);
    const back = { policyId, number: from, expectedLive: number, undoes: entry };
    const reason = chosen.duringFreeze === undefined ? {} : { duringFreeze: chosen.duringFreeze };
    toastWithUndo({
      title: `Revision ${number} of ${name} is in force`,
      description: `Applies to ${counted(agents, "agent")}.`,
      undo: from > 0 ? () => rollBack({ ...back, ...reason }).then(() => undefined) : null,
      undone: `Revision ${from} of ${name} is in force again`,
    });
  };
}
