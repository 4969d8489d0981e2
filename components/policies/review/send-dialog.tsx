"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import type { DraftAutosave, DraftState } from "@/components/layout/draft/draft-autosave";
import { ChangesView } from "@/components/policies/diff/changes-view";
import { CaseResults } from "@/components/policies/playground/case-results";
import { ImpactPanel } from "@/components/policies/review/impact-panel";
import { useRefreshReviews } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Notice } from "@/components/ui/notice";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import type { PolicyDetailView } from "@/server/policies/schema";
import { requestReview } from "@/server/reviews/schema";

export interface SendDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  policy: PolicyDetailView;
  draft: DraftState;
  keeper: DraftAutosave;
}

/** Sends the draft to a reviewer. */
export function SendDialog(props: SendDialogProps) {
  const { open, onOpenChange, policy } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={`Send ${policy.name} for review`}
      description="A person who has not edited the draft reviews it. Sending a draft does not put it in force."
    >
      {open ? <Sending {...props} /> : null}
    </Dialog>
  );
}

const noteForm = z.object({ note: requestReview.shape.note });

function Sending({ onOpenChange, policy, draft, keeper }: SendDialogProps) {
  const trpc = useTRPC();
  const renew = useRefreshReviews();
  const form = useForm(noteForm, { note: "" });
  const request = useMutation(trpc.reviews.request.mutationOptions());
  const refusal =
    draft.phase === "conflict"
      ? "Another person changed this policy. Compare the versions first."
      : draft.text === policy.publishedSource
        ? "The draft is identical to the revision in force."
        : null;
  const send = async ({ note }: z.infer<typeof noteForm>) => {
    if (!(await keeper.saveNow())) return;
    await request
      .mutateAsync({ policyId: policy.id, draftVersion: keeper.state.version, note })
      .catch((error: unknown) => {
        const isInvalid = appCodeOf(error) === "policy_invalid";
        throw isInvalid ? new Error(`${failureSentence(error)} Fix the problem, then send it again.`) : error;
      });
    await renew();
    onOpenChange(false);
    toast.success(`${policy.name} is sent for review`, {
      description: "If you change the draft, send the draft again.",
    });
  };
  return (
    <Form
      form={form}
      onSubmit={send}
      action="Send for review"
      onCancel={() => onOpenChange(false)}
      disabled={refusal !== null}
    >
      {refusal ? <Notice kind="warning">{refusal}</Notice> : null}
      <ChangesView
        before={policy.publishedSource}
        after={draft.text}
        beforeLabel={policy.liveRevision > 0 ? `Revision ${policy.liveRevision}, in force` : "No revision in force"}
        afterLabel="Your draft"
        same="The draft is identical to the revision in force."
      />
      <CaseResults policyId={policy.id} source={draft.text} />
      <ImpactPanel prepare={() => draftToMeasure(policy.id, keeper)} />
      <FormField
        form={form}
        name="note"
        label="Note"
        aside="optional"
        help="Reason for the change and points to check."
      >
        {(field) => <Textarea {...field} rows={2} maxLength={4000} />}
      </FormField>
    </Form>
  );
}

/** The saved draft, to be measured; null when it could not be saved. */
export async function draftToMeasure(policyId: string, keeper: DraftAutosave) {
  if (!(await keeper.saveNow())) return null;
  return { policyId, of: { kind: "draft" as const, version: keeper.state.version } };
}
