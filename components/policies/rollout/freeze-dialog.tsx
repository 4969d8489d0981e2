"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { worded } from "@/components/layout/four-eyes/second-person";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";

/** Asks why, and then nothing that is in force changes until somebody lifts it. */
export function FreezeDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const [reason, setReason] = useState("");
  const freeze = useMutation(trpc.policies.freeze.mutationOptions());
  const act = async () => {
    if (reason.trim() === "") throw new Error("Say why, for those who meet the freeze.");
    await worded(freeze.mutateAsync({ reason: reason.trim() }));
    await renew();
    setReason("");
    toast.success("The workspace is frozen");
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Freeze what is in force?"
      confirm="Freeze"
      onConfirm={act}
    >
      <p>
        Until a person lifts it, nobody in this workspace can publish, roll back, promote, assign, group, order, observe
        or delete. Drafts go on, agents are answered as before, and what is only observed is still enforced at its time.
      </p>
      <p>Rolling back and abandoning a canary stay possible with a reason, which is written down.</p>
      <Field label="Why">
        <Textarea value={reason} rows={2} maxLength={300} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  );
}
