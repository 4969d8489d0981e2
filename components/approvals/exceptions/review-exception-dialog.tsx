"use client";

import { z } from "zod";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Textarea } from "@/components/ui/textarea";
import { type ExceptionView, exceptionTitle, REASON_CHARS_MAX, reviewException } from "@/server/exceptions/schema";

const reviewForm = z.object({
  words: needed("Enter the conclusion of your review, in one line.").pipe(reviewException.shape.words),
});

/** Asks what follows from a lapsed exception: it is over, or its rule should change. */
export function ReviewExceptionDialog({
  exception,
  onClose,
}: {
  exception: ExceptionView | null;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const form = useForm(reviewForm, { words: "" });
  return (
    <ActDialog
      mutation={trpc.exceptions.review.mutationOptions()}
      input={exception && { id: exception.id }}
      form={form}
      onClose={onClose}
      title="Review this exception"
      confirm="Save review"
      success="Exception reviewed"
    >
      {exception ? (
        <p>
          {exceptionTitle(exception)}: it has expired, so its rules apply again. If these calls happen every day, change
          the rule instead of creating another exception.
        </p>
      ) : null}
      <FormField form={form} name="words" label="Conclusion">
        {(field) => <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} />}
      </FormField>
    </ActDialog>
  );
}
