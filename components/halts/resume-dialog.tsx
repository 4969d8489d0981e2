"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { closed, subjectText } from "@/components/halts/labels";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { FormField, sendForm, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { endHalt, type HaltView, REASON_CHARS_MAX } from "@/server/halts/schema";

const resumeForm = z.object({
  reason: needed("Say in one line why it may run again.").pipe(endHalt.shape.reason),
});

/** Asks for the reason, and then what the halt stopped runs again. */
export function ResumeDialog({ halt, onClose }: { halt: HaltView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const form = useForm(resumeForm, { reason: "" });
  const resume = useMutation(trpc.halts.resume.mutationOptions());
  const act = async ({ reason }: z.infer<typeof resumeForm>) => {
    if (halt) await resume.mutateAsync({ id: halt.id, reason });
    form.reset();
    toast.success("Resumed");
  };
  const close = () => {
    form.clearErrors();
    onClose();
  };
  return (
    <ConfirmDialog
      open={halt !== null}
      onOpenChange={(open) => (open ? undefined : close())}
      title={halt ? `Resume ${subjectText(halt)}?` : ""}
      confirm="Resume"
      onConfirm={() => sendForm(form, act)}
    >
      {halt ? (
        <p>
          {halt.haltedBy} halted it: {closed(halt.reason)} Policies decide again from the next call on; other halts that
          reach the same agents stay.
        </p>
      ) : null}
      <FormField form={form} name="reason" label="Why it may run again">
        {(field) => <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} />}
      </FormField>
    </ConfirmDialog>
  );
}
