"use client";

import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { setPassword } from "@/server/people/schema";

export const PASSWORD_HELP = "The password needs at least 12 characters. A few words in a row are easy to remember.";

/** Typed twice: a slip in the only password would be found when its owner is locked out. */
const typedTwice = setPassword
  .extend({ repeated: z.string() })
  .refine(({ password, repeated }) => password === repeated, {
    path: ["repeated"],
    message: "The two passwords are not the same.",
  });

interface FirstPasswordFormProps {
  /** The address that is known. */
  email: string | null;
  onSet: () => unknown;
  /** Above the fields. */
  children: ReactNode;
  /** Offers to go on without one. */
  onNotNow?: () => void;
}

/** The first password, with the address to sign in by. */
export function FirstPasswordForm({ email, onSet, children, onNotNow }: FirstPasswordFormProps) {
  const trpc = useTRPC();
  const form = useForm(typedTwice, { email: email ?? "", password: "", repeated: "" });
  const save = useMutation(trpc.access.setPassword.mutationOptions());
  return (
    <Form
      form={form}
      className="max-w-100 gap-3"
      onSubmit={async ({ email, password }) => {
        await save.mutateAsync({ email, password });
        await onSet();
      }}
      {...(onNotNow
        ? { foot: <Choice busy={form.formState.isSubmitting} onNotNow={onNotNow} /> }
        : { action: "Set password" })}
    >
      {children}
      <FormField form={form} name="email" label="E-mail">
        {(field) => <Input {...field} type="email" autoComplete="username" />}
      </FormField>
      <FormField form={form} name="password" label="New password" help={PASSWORD_HELP}>
        {(field) => <Input {...field} type="password" maxLength={128} autoComplete="new-password" />}
      </FormField>
      <FormField form={form} name="repeated" label="Repeat the password">
        {(field) => <Input {...field} type="password" maxLength={128} autoComplete="new-password" />}
      </FormField>
    </Form>
  );
}

function Choice({ busy, onNotNow }: { busy: boolean; onNotNow: () => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" variant="primary" size="lg" busy={busy}>
        Set password
      </Button>
      <Button size="lg" variant="ghost" onClick={onNotNow}>
        Not now
      </Button>
    </div>
  );
}
