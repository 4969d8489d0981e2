"use client";

import { z } from "zod";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Textarea } from "@/components/ui/textarea";
import { type ExceptionView, endException, exceptionTitle, REASON_CHARS_MAX } from "@/server/exceptions/schema";

const endForm = z.object({ reason: needed("Enter a one-line reason.").pipe(endException.shape.reason) });

/** Asks for the reason, and then people are asked about these calls again. */
export function EndExceptionDialog({ exception, onClose }: { exception: ExceptionView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const form = useForm(endForm, { reason: "" });
  return (
    <ActDialog
      mutation={trpc.exceptions.end.mutationOptions()}
      input={exception && { id: exception.id }}
      form={form}
      onClose={onClose}
      title="End this exception?"
      confirm="End exception"
      success="Exception ended"
    >
      {exception ? (
        <p>
          {exceptionTitle(exception)}: from the next call, its rules{" "}
          {exception.lifts === "question" ? "require approval" : "deny or require approval"} again.
        </p>
      ) : null}
      <FormField form={form} name="reason" label="Why it ends">
        {(field) => <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} />}
      </FormField>
    </ActDialog>
  );
}
