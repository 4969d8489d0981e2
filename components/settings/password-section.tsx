"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useAccountCall } from "@/components/access/use-account-call";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { setPassword } from "@/server/people/schema";

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

function First({ email: before, onChanged }: PasswordSectionProps) {
  const trpc = useTRPC();
  const [email, setEmail] = useState(before ?? "");
  const [password, setText] = useState("");
  const [wrongs, setWrongs] = useState<Readonly<Record<string, string>>>({});
  const save = useMutation(trpc.access.setPassword.mutationOptions());
  const submit = async () => {
    const parsed = setPassword.safeParse({ email, password });
    setWrongs(
      parsed.success ? {} : Object.fromEntries(parsed.error.issues.map((one) => [String(one.path[0]), one.message])),
    );
    if (!parsed.success) return;
    await save.mutateAsync(parsed.data);
    toast.success("Your password is set");
    await onChanged();
  };
  return (
    <form
      noValidate
      className="flex max-w-100 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit().catch(() => undefined); // shown below
      }}
    >
      <p className="text-muted">You came in by a link. With a password you need none.</p>
      <Field label="E-mail" error={wrongs.email}>
        <Input type="email" autoComplete="username" value={email} onChange={(event) => setEmail(event.target.value)} />
      </Field>
      <Field label="New password" help={HELP} error={wrongs.password}>
        <Input
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {save.error ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
      <Button type="submit" busy={save.isPending} className="self-start">
        Set password
      </Button>
    </form>
  );
}

function Change({ onChanged }: { onChanged: () => Promise<unknown> }) {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const { send, isPending, failure } = useAccountCall();
  const submit = async () => {
    if (!(await send("/change-password", { currentPassword, newPassword, revokeOtherSessions: true }))) return;
    toast.success("Your password is changed", { description: "Every other browser of yours is signed out." });
    setCurrent("");
    setNew("");
    await onChanged();
  };
  return (
    <form
      className="flex max-w-100 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label="Current password">
        <Input
          type="password"
          required
          autoComplete="current-password"
          value={currentPassword}
          onChange={(event) => setCurrent(event.target.value)}
        />
      </Field>
      <Field label="New password" help={HELP}>
        <Input
          type="password"
          required
          minLength={12}
          maxLength={128}
          autoComplete="new-password"
          value={newPassword}
          onChange={(event) => setNew(event.target.value)}
        />
      </Field>
      {failure ? <ErrorLine>{failure}</ErrorLine> : null}
      <Button type="submit" busy={isPending} className="self-start">
        Change password
      </Button>
    </form>
  );
}
