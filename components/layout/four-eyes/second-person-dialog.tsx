"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { type AskedChange, useAskedChange } from "@/components/layout/four-eyes/second-person";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";

/** Opens when a change of assignments needs a second person. */
export function SecondPersonDialog() {
  const [change, close] = useAskedChange();
  return (
    <Dialog
      open={change !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : close())}
      title="This needs a second person"
      description="The change is of a policy with four eyes. Nothing has changed yet."
      size="sm"
    >
      {change ? <Ways change={change} onDone={close} /> : null}
    </Dialog>
  );
}

function Ways({ change, onDone }: { change: AskedChange; onDone: () => void }) {
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
      onSuccess: () => done("A second person is asked", "The request is on the policy's page and under Reviews."),
    }),
  );
  const force = useMutation(
    trpc.reviews.changeInEmergency.mutationOptions({
      onSuccess: () => done("Change applied", "It is in the audit log as an emergency, with your reason."),
    }),
  );
  const failure = request.error ?? force.error;
  if (reason !== null)
    return (
      <div className="flex flex-col gap-4 pb-3">
        <Notice kind="danger">
          The change applies at once, without a second person. Your name and reason are recorded, shown on the policy's
          page and sent to webhooks.
        </Notice>
        <Field label="Why it cannot wait for a second person">
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
            Change it in an emergency
          </Button>
        </div>
      </div>
    );
  return (
    <div className="flex flex-col gap-4 pb-3">
      <p className="text-muted">
        Another person agrees to exactly this change; then you make it. If what binds agents changes before, you ask
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
