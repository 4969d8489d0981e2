"use client";

import { z } from "zod";
import { sendAccount } from "@/components/access/account-call";
import { FirstPasswordForm, PASSWORD_HELP } from "@/components/access/first-password-form";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { setPassword } from "@/server/people/schema";

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
  const done = async () => {
    toast.success("Password set");
    await onChanged();
  };
  return (
    <FirstPasswordForm email={email} onSet={done}>
      <p className="text-muted">Your account has no password. Set one to sign in with your e-mail address.</p>
    </FirstPasswordForm>
  );
}

const change = z.object({
  currentPassword: z.string().min(1, "Enter your current password."),
  newPassword: setPassword.shape.password,
});

function Change({ onChanged }: { onChanged: () => Promise<unknown> }) {
  const form = useForm(change, { currentPassword: "", newPassword: "" });
  const submit = async (values: z.infer<typeof change>) => {
    await sendAccount("/change-password", { ...values, revokeOtherSessions: true });
    toast.success("Password changed", { description: "All your other browsers were signed out." });
    form.reset();
    await onChanged();
  };
  return (
    <Form form={form} className="max-w-100 gap-3" onSubmit={submit} action="Change password">
      <FormField form={form} name="currentPassword" label="Current password">
        {(field) => <Input {...field} type="password" autoComplete="current-password" />}
      </FormField>
      <FormField form={form} name="newPassword" label="New password" help={PASSWORD_HELP}>
        {(field) => <Input {...field} type="password" maxLength={128} autoComplete="new-password" />}
      </FormField>
    </Form>
  );
}
