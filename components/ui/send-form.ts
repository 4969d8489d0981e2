import type { FieldValues, UseFormReturn } from "react-hook-form";

/** Sends a form by the button of a dialog that asks first: rejects while a field is wrong, and then the field says so. */
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
