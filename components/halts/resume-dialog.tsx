"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { closed, subjectText } from "@/components/halts/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { endHalt, type HaltView, REASON_CHARS_MAX } from "@/server/halts/schema";

/** Asks for the reason, and then what the halt stopped runs again. */
export function ResumeDialog({ halt, onClose }: { halt: HaltView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const [reason, setReason] = useState("");
  const resume = useMutation(trpc.halts.resume.mutationOptions());
  const act = async () => {
    const read = endHalt.safeParse({ id: halt?.id, reason });
    if (!read.success) throw new Error("Say in one line why it may run again.");
    await resume.mutateAsync(read.data).catch((error: unknown) => {
      throw new Error(failureSentence(error));
    });
    setReason("");
    toast.success("Resumed");
  };
  return (
    <ConfirmDialog
      open={halt !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={halt ? `Resume ${subjectText(halt)}?` : ""}
      confirm="Resume"
      onConfirm={act}
    >
      {halt ? (
        <p>
          {halt.haltedBy} halted it: {closed(halt.reason)} Policies decide again from the next call on; other halts that
          reach the same agents stay.
        </p>
      ) : null}
      <Field label="Why it may run again">
        <Textarea
          value={reason}
          rows={2}
          maxLength={REASON_CHARS_MAX}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </ConfirmDialog>
  );
}
