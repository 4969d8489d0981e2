"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { DraftAutosave, DraftState } from "@/components/layout/draft/draft-autosave";
import { ChangesView } from "@/components/policies/diff/changes-view";
import { CaseResults } from "@/components/policies/playground/case-results";
import { ImpactPanel } from "@/components/policies/review/impact-panel";
import { useRefreshReviews } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";

export interface SendDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  policy: PolicyDetailView;
  draft: DraftState;
  keeper: DraftAutosave;
}

/** Hands the draft to somebody else to read. */
export function SendDialog(props: SendDialogProps) {
  const { open, onOpenChange, policy } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={`Send ${policy.name} for review`}
      description="Somebody who has not edited it reads exactly this text. Nothing is in force by it."
    >
      {open ? <Sending {...props} /> : null}
    </Dialog>
  );
}

function Sending({ onOpenChange, policy, draft, keeper }: SendDialogProps) {
  const trpc = useTRPC();
  const renew = useRefreshReviews();
  const [note, setNote] = useState("");
  const request = useMutation(trpc.reviews.request.mutationOptions());
  const refusal =
    draft.phase === "conflict"
      ? "Somebody changed this policy meanwhile. Compare the texts and choose first."
      : draft.text === policy.publishedSource
        ? "The text is the same as what is in force. There is nothing to review."
        : null;
  const send = async () => {
    if (!(await keeper.saveNow())) return;
    await request.mutateAsync({ policyId: policy.id, draftVersion: keeper.state.version, note });
    await renew();
    onOpenChange(false);
    toast.success(`${policy.name} is sent for review`, {
      description: "A change of the draft makes it out of date; send it again then.",
    });
  };
  return (
    <form
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        // The failure is shown by the mutation's own state.
        if (refusal === null && !request.isPending) send().catch(() => undefined);
      }}
    >
      {refusal ? <Notice kind="warning">{refusal}</Notice> : null}
      <ChangesView
        before={policy.publishedSource}
        after={draft.text}
        beforeLabel={policy.liveRevision > 0 ? `Revision ${policy.liveRevision}, in force` : "Nothing in force"}
        afterLabel="Your text"
        same="The text is the same as what is in force."
      />
      <CaseResults policyId={policy.id} source={draft.text} />
      <ImpactPanel prepare={() => draftToMeasure(policy.id, keeper)} />
      <Field label="Note" aside="optional" help="What to look at, and why the change is made.">
        <Textarea value={note} onChange={(event) => setNote(event.target.value)} rows={2} maxLength={4000} />
      </Field>
      {request.error ? (
        <ErrorLine>
          {failureSentence(request.error)}
          {appCodeOf(request.error) === "policy_invalid" ? " Solve it, then send it again." : ""}
        </ErrorLine>
      ) : null}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={refusal !== null} busy={request.isPending}>
          Send for review
        </Button>
      </div>
    </form>
  );
}

/** The saved draft, to be measured; null when it could not be saved. */
export async function draftToMeasure(policyId: string, keeper: DraftAutosave) {
  if (!(await keeper.saveNow())) return null;
  return { policyId, of: { kind: "draft" as const, version: keeper.state.version } };
}
