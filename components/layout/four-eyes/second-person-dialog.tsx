"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import type { AskedChange, StoppedChange } from "@/components/layout/four-eyes/second-person";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";

interface SecondPersonDialogProps {
  /** Null while it is closed. */
  stopped: StoppedChange | null;
  onClose: () => void;
}

/** Opens when a change of assignments needs a second person, or does not meet a publish requirement. */
export function SecondPersonDialog({ stopped, onClose }: SecondPersonDialogProps) {
  const isUnmet = stopped !== null && stopped.unmet !== null;
  return (
    <Dialog
      open={stopped !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={isUnmet ? "A publish requirement is not met" : "This change needs a second person"}
      description={
        isUnmet ? "Nothing has changed yet." : "Another person must accept this change. Nothing has changed yet."
      }
      size="sm"
    >
      {stopped ? <Ways {...stopped} onDone={onClose} /> : null}
    </Dialog>
  );
}

function Ways({ change, unmet, onDone }: StoppedChange & { onDone: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  const [reason, setReason] = useState<string | null>(null);
  const emergency = usePermission("policy:emergency");
  const done = async (title: string, description: string) => {
    const rooms = [trpc.reviews, trpc.policies, trpc.agents];
    await Promise.all(rooms.map((room) => queries.invalidateQueries({ queryKey: room.pathKey() })));
    toast.success(title, { description });
    onDone();
  };
  const request = useMutation(
    trpc.reviews.requestChange.mutationOptions({
      onSuccess: () =>
        done("Change sent to a second person", "The request is on the policy's page and on the Reviews page."),
    }),
  );
  const force = useMutation(
    trpc.reviews.changeInEmergency.mutationOptions({
      onSuccess: () => done("Change applied", "The audit log records an emergency change with your reason."),
    }),
  );
  const failure = request.error ?? force.error;
  if (reason !== null)
    return (
      <div className="flex flex-col gap-4 pb-3">
        <Notice kind="danger">
          The change applies at once, {unmet === null ? "without a second person" : "without the requirements"}. Your
          name and reason are recorded, shown on the policy's page and sent to webhooks.
        </Notice>
        <Field
          label={unmet === null ? "Reason not to wait for a second person" : "Reason to skip the publish requirements"}
        >
          <Textarea value={reason} maxLength={4_000} rows={3} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {failure ? <ErrorLine>{failureSentence(failure)}</ErrorLine> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={() => setReason(null)}>Back</Button>
          <Button
            variant="danger"
            disabled={reason.trim().length < 10}
            busy={force.isPending}
            onClick={() => force.mutate({ change, reason })}
          >
            Apply change as an emergency
          </Button>
        </div>
      </div>
    );
  if (unmet !== null)
    return (
      <div className="flex flex-col gap-4 pb-3">
        <p>{unmet}</p>
        <div className="flex flex-wrap justify-end gap-2">
          {emergency.isGranted ? <Button onClick={() => setReason("")}>Emergency…</Button> : null}
          <BacktestButton change={change} onDone={onDone} />
        </div>
      </div>
    );
  return (
    <div className="flex flex-col gap-4 pb-3">
      <p className="text-muted">
        Another person agrees to exactly this change, then you apply it. If the policies in force change first, ask
        again.
      </p>
      <Field label="Note for the second person">
        <Textarea value={note} maxLength={4_000} rows={3} onChange={(event) => setNote(event.target.value)} />
      </Field>
      {failure ? <ErrorLine>{failureSentence(failure)}</ErrorLine> : null}
      <div className="flex flex-wrap justify-end gap-2">
        {emergency.isGranted ? <Button onClick={() => setReason("")}>Emergency…</Button> : null}
        <Button variant="primary" busy={request.isPending} onClick={() => request.mutate({ change, note })}>
          Ask a second person
        </Button>
      </div>
    </div>
  );
}

/** Opens the backtest of the revision that the change puts in force. */
function BacktestButton({ change, onDone }: { change: AskedChange; onDone: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const asked = revisionOf(change);
  const start = useMutation(
    trpc.backtest.startIfMissing.mutationOptions({
      onSuccess: ({ id }, { policyId }) => {
        router.push(`/policies/${policyId}/backtests/${id}`);
        onDone();
      },
      onError: (error) => toast.error(failureSentence(error)),
    }),
  );
  if (asked === null) return null;
  const { policyId, number } = asked;
  return (
    <Button
      variant="primary"
      busy={start.isPending}
      onClick={() => start.mutate({ policyId, of: { kind: "revision", number } })}
    >
      Backtest revision {number}
    </Button>
  );
}

/** The revision that a change puts in force; null for another change. */
function revisionOf({ kind, input }: AskedChange): { policyId: string; number: number } | null {
  if (kind === "roll_back") return input.number > 0 ? { policyId: input.policyId, number: input.number } : null;
  if (kind === "set_canary" || kind === "end_canary") return { policyId: input.policyId, number: input.revision };
  return null;
}
