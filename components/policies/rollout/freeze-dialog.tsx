"use client";

import { useState } from "react";
import { ActDialog } from "@/components/layout/act-dialog";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";

/** Asks for a reason and freezes the workspace: nothing in force changes until the freeze is lifted. */
export function FreezeDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const [reason, setReason] = useState("");
  const input = () => {
    if (reason.trim() === "") throw new Error("Enter a reason, shown to people affected by the freeze.");
    return { reason: reason.trim() };
  };
  return (
    <ActDialog
      mutation={trpc.policies.freeze.mutationOptions()}
      input={open && input}
      onClose={() => onOpenChange(false)}
      title="Freeze changes?"
      confirm="Freeze"
      onDone={async () => {
        await renew();
        setReason("");
        toast.success("Changes frozen");
      }}
    >
      <p>
        Until the freeze is lifted, policies in this workspace cannot be published, promoted, assigned, grouped,
        reordered, monitored or deleted. Drafts can still be edited. Agents are not affected. Monitor mode still ends on
        time.
      </p>
      <p>
        During the freeze, you can still roll back a policy or abandon a canary. Your reason is recorded. To plan
        freezes, use Freeze windows.
      </p>
      <Field label="Reason">
        <Textarea value={reason} rows={2} maxLength={300} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ActDialog>
  );
}
