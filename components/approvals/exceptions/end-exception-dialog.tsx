"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { FormField, sendForm, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { type ExceptionView, endException, exceptionTitle, REASON_CHARS_MAX } from "@/server/exceptions/schema";

const endForm = z.object({ reason: needed("Say in one line why it ends.").pipe(endException.shape.reason) });

/** Asks for the reason, and then people are asked about these calls again. */
export function EndExceptionDialog({ exception, onClose }: { exception: ExceptionView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const form = useForm(endForm, { reason: "" });
  const end = useMutation(trpc.exceptions.end.mutationOptions());
  const act = async ({ reason }: z.infer<typeof endForm>) => {
    if (exception) await end.mutateAsync({ id: exception.id, reason });
    form.reset();
    toast.success("The exception has ended");
  };
  const close = () => {
    form.clearErrors();
    onClose();
  };
  return (
    <ConfirmDialog
      open={exception !== null}
      onOpenChange={(open) => (open ? undefined : close())}
      title="End this exception?"
      confirm="End it"
      onConfirm={() => sendForm(form, act)}
    >
      {exception ? (
        <p>
          {exceptionTitle(exception)}: its rules {exception.lifts === "question" ? "ask" : "ask and deny"} again from
          the next call on.
        </p>
      ) : null}
      <FormField form={form} name="reason" label="Why it ends">
        {(field) => <Textarea {...field} rows={2} maxLength={REASON_CHARS_MAX} />}
      </FormField>
    </ConfirmDialog>
  );
}
