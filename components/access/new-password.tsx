"use client";

import { useState } from "react";
import { useAccountCall } from "@/components/access/use-account-call";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

/** The page of a reset link. It signs every browser out; one signs in with the new password then. */
export function NewPassword({ token }: { token: string }) {
  const [newPassword, setNewPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const { send, isPending, failure } = useAccountCall();
  if (isDone)
    return (
      <div className="flex flex-col gap-4" role="status">
        <h1 className="text-lg">Your password is set</h1>
        <p className="text-muted">Every browser you were signed in with is signed out.</p>
        <Button asChild variant="primary" size="lg" className="self-start">
          <a href="/sign-in">Sign in</a>
        </Button>
      </div>
    );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send("/reset-password", { token, newPassword }).then((value) => setDone(value !== null));
      }}
    >
      <h1 className="text-lg">Choose a new password</h1>
      <Field label="New password" help="At least 12 characters. A few words in a row are easy to keep in mind.">
        <Input
          type="password"
          required
          autoFocus
          minLength={12}
          maxLength={128}
          autoComplete="new-password"
          value={newPassword}
          onChange={(event) => setNewPassword(event.target.value)}
        />
      </Field>
      {failure ? <ErrorLine>{failure}</ErrorLine> : null}
      <Button type="submit" variant="primary" size="lg" busy={isPending} className="self-start">
        Set the password
      </Button>
    </form>
  );
}
