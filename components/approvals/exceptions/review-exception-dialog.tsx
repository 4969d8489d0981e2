"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { FormField, sendForm, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { type ExceptionView, exceptionTitle, REASON_CHARS_MAX, reviewException } from "@/server/exceptions/schema";

const reviewForm = z.object({ words: needed("Say in one line what follows.").pipe(reviewException.shape.words) });

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
  const review = useMutation(trpc.exceptions.review.mutationOptions());
  const act = async ({ words }: z.infer<typeof reviewForm>) => {
    if (exception) await review.mutateAsync({ id: exception.id, words });
    form.reset();
    toast.success("The exception is reviewed");
  };
  const close = () => {
    form.clearErrors();
    onClose();
  };
  return (
    <ConfirmDialog
      open={exception !== null}
      onOpenChange={(open) => (open ? undefined : close())}
      title="Review this exception"
      confirm="Note the review"
      onConfirm={() => sendForm(form, act)}
    >
      {exception ? (
        <p>
          {exceptionTitle(exception)}: it has lapsed, so its rules hold again. If its calls come every day, change the
          rule instead of making another exception.
        </p>
      ) : null}
      <FormField form={form} name="words" label="Conclusion">
        {(field) => <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} />}
      </FormField>
    </ConfirmDialog>
  );
}
