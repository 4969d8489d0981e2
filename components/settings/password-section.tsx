"use client";

import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { sendAccount } from "@/components/access/account-call";
import { useTRPC } from "@/components/trpc/client";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { type SetPassword, setPassword } from "@/server/people/schema";

const HELP = "At least 12 characters. A few words in a row are easy to keep in mind.";

interface PasswordSectionProps {
  email: string | null;
  hasPassword: boolean;
  onChanged: () => Promise<unknown>;
}

/** The first password with the address to sign in by, or another one. */
export function PasswordSection(props: PasswordSectionProps) {
  return (
    <Section title="Password" aside={props.email ?? undefined} framed>
      {props.hasPassword ? <Change onChanged={props.onChanged} /> : <First {...props} />}
    </Section>
  );
}

function First({ email, onChanged }: PasswordSectionProps) {
  const trpc = useTRPC();
  const form = useForm(setPassword, { email: email ?? "", password: "" });
  const save = useMutation(trpc.access.setPassword.mutationOptions());
  const submit = async (values: SetPassword) => {
    await save.mutateAsync(values);
    toast.success("Your password is set");
    await onChanged();
  };
  return (
    <Form form={form} className="max-w-100 gap-3" onSubmit={submit} action="Set password">
      <p className="text-muted">You came in by a link. With a password you need none.</p>
      <FormField form={form} name="email" label="E-mail">
        {(field) => <Input {...field} type="email" autoComplete="username" />}
      </FormField>
      <FormField form={form} name="password" label="New password" help={HELP}>
        {(field) => <Input {...field} type="password" autoComplete="new-password" />}
      </FormField>
    </Form>
  );
}

const change = z.object({
  currentPassword: z.string().min(1, "Write your current password."),
  newPassword: setPassword.shape.password,
});

function Change({ onChanged }: { onChanged: () => Promise<unknown> }) {
  const form = useForm(change, { currentPassword: "", newPassword: "" });
  const submit = async (values: z.infer<typeof change>) => {
    await sendAccount("/change-password", { ...values, revokeOtherSessions: true });
    toast.success("Your password is changed", { description: "Every other browser of yours is signed out." });
    form.reset();
    await onChanged();
  };
  return (
    <Form form={form} className="max-w-100 gap-3" onSubmit={submit} action="Change password">
      <FormField form={form} name="currentPassword" label="Current password">
        {(field) => <Input {...field} type="password" autoComplete="current-password" />}
      </FormField>
      <FormField form={form} name="newPassword" label="New password" help={HELP}>
        {(field) => <Input {...field} type="password" maxLength={128} autoComplete="new-password" />}
      </FormField>
    </Form>
  );
}
