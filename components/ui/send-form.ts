import type { FieldValues, UseFormReturn } from "react-hook-form";

/** Submits a form from a confirmation dialog: rejects while a field is invalid, and the field shows its error. */
export async function sendForm<In extends FieldValues, Out>(
  form: UseFormReturn<In, unknown, Out>,
  onSubmit: (values: Out) => Promise<unknown>,
): Promise<void> {
  let isSent = false;
  const send = async (values: Out) => {
    await onSubmit(values);
    isSent = true;
  };
  await form.handleSubmit(send)();
  if (!isSent) throw new Error("");
}
