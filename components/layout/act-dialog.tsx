"use client";

import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { worded } from "@/components/layout/four-eyes/second-person";
import { ConfirmDialog, type ConfirmDialogProps } from "@/components/ui/confirm-dialog";
import { sendForm } from "@/components/ui/send-form";
import { toast } from "@/components/ui/toast";

type Input<In, Values> = In extends unknown ? Omit<NoInfer<In>, keyof Values> : never;

interface ActDialogProps<Out, Failure, In, Context, Fields extends FieldValues, Values>
  extends Omit<ConfirmDialogProps, "open" | "onOpenChange" | "onConfirm"> {
  /** Made by tRPC: `trpc.halts.resume.mutationOptions()`. */
  mutation: UseMutationOptions<Out, Failure, In, Context>;
  /**
   * The input, sent on confirmation together with the values of `form`. The dialog is open while there is an input. A
   * function is called on confirmation; the dialog shows the message that it throws.
   */
  input: Input<In, Values> | (() => Input<In, Values> | Promise<Input<In, Values>>) | null | false;
  /** Its fields are among the children. A success resets it; closing the dialog clears its errors only. */
  form?: UseFormReturn<Fields, unknown, Values>;
  /** The message after a success. */
  success?: string | ((result: NoInfer<Out>) => string);
  /** Called after the message. The dialog closes when the promise resolves. */
  onDone?: (result: NoInfer<Out>) => unknown;
  onClose: () => void;
}

/** Asks before a mutation, sends it, reports the success and closes. A failure is shown in the dialog. */
export function ActDialog<Out, Failure, In, Context, Fields extends FieldValues = FieldValues, Values = unknown>(
  props: ActDialogProps<Out, Failure, In, Context, Fields, Values>,
) {
  const { mutation, input, form, success, onDone, onClose, ...dialog } = props;
  const { mutateAsync } = useMutation(mutation);
  // Holds: every mutation takes its variables, and `values` are the fields of `In` that `input` lacks.
  const send = mutateAsync as (sent: In) => Promise<Out>;
  const act = async (values?: Values) => {
    const sent = { ...(typeof input === "function" ? await input() : input), ...values } as In;
    const result = await worded(send(sent));
    form?.reset();
    if (success !== undefined) toast.success(typeof success === "string" ? success : success(result));
    await onDone?.(result);
  };
  const close = () => {
    form?.clearErrors();
    onClose();
  };
  const isOpen = input !== null && input !== false;
  const confirm = () => (form ? sendForm(form, act) : act());
  return <ConfirmDialog {...dialog} open={isOpen} onOpenChange={close} onConfirm={confirm} />;
}
