"use client";

import { useState } from "react";
import { z } from "zod";
import { sendAccount } from "@/components/access/account-call";
import { Button } from "@/components/ui/button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { setPassword } from "@/server/people/schema";

const newPassword = z.object({ newPassword: setPassword.shape.password });

/** The page of a reset link. It signs every browser out; one signs in with the new password then. */
export function NewPassword({ token }: { token: string }) {
  const form = useForm(newPassword, { newPassword: "" });
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <div className="flex flex-col gap-4" role="status">
        <h1 className="text-lg">Your password is set</h1>
        <p className="text-muted">You are now signed out in all your browsers.</p>
        <Button asChild variant="primary" size="lg" className="self-start">
          <a href="/sign-in">Sign in</a>
        </Button>
      </div>
    );
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await sendAccount("/reset-password", { token, ...values });
        setDone(true);
      }}
      foot={
        <Button type="submit" variant="primary" size="lg" busy={form.formState.isSubmitting} className="self-start">
          Set the password
        </Button>
      }
    >
      <h1 className="text-lg">Choose a new password</h1>
      <FormField
        form={form}
        name="newPassword"
        label="New password"
        help="The password needs at least 12 characters. A few words in a row are easy to remember."
      >
        {(field) => <Input {...field} type="password" autoFocus maxLength={128} autoComplete="new-password" />}
      </FormField>
    </Form>
  );
}
