"use client";

import { z } from "zod";
import { closed, subjectText } from "@/components/halts/labels";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Textarea } from "@/components/ui/textarea";
import { endHalt, type HaltView, REASON_CHARS_MAX } from "@/server/halts/schema";

const resumeForm = z.object({
  reason: needed("Enter a one-line reason.").pipe(endHalt.shape.reason),
});

/** Asks for the reason, and then ends the halt. */
export function ResumeDialog({ halt, onClose }: { halt: HaltView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const form = useForm(resumeForm, { reason: "" });
  return (
    <ActDialog
      mutation={trpc.halts.resume.mutationOptions()}
      input={halt && { id: halt.id }}
      form={form}
      onClose={onClose}
      title={halt ? `Resume ${subjectText(halt)}?` : ""}
      confirm="Resume"
      success="Resumed"
    >
      {halt ? (
        <p>
          Halted by {halt.haltedBy}: {closed(halt.reason)} From the next call, policies decide again. Other halts of the
          same agents stay in force.
        </p>
      ) : null}
      <FormField form={form} name="reason" label="Reason for resuming">
        {(field) => <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} />}
      </FormField>
    </ActDialog>
  );
}
