"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callAccount } from "@/components/access/account-call";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";
import { acceptInvitation } from "@/server/people/schema";

/** The page of an invitation's link: an account for somebody new, or joining with the account of the address. */
export function AcceptInvitation({ token }: { token: string }) {
  const trpc = useTRPC();
  const invitation = useQuery({ ...trpc.access.openInvitation.queryOptions({ token }), retry: false });
  const accept = useMutation(trpc.access.acceptInvitation.mutationOptions());
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [wrongs, setWrongs] = useState<Readonly<Record<string, string>>>({});
  if (invitation.isPending)
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner /> Looking at your invitation…
      </p>
    );
  if (invitation.error)
    return <ErrorState compact title="This invitation opens nothing" reason={failureSentence(invitation.error)} />;
  const { workspace, email, role, joinBy } = invitation.data;
  const hasForm = joinBy === "account" || joinBy === "new_password";
  const submit = async () => {
    const input = { token, ...(hasForm ? { account: { name, password } } : {}) };
    const parsed = acceptInvitation.safeParse(input);
    setWrongs(
      parsed.success
        ? {}
        : Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path.at(-1)), issue.message])),
    );
    if (!parsed.success) return;
    await accept.mutateAsync(parsed.data);
    // It is used up; nobody should find it in the address bar while the console loads.
    window.history.replaceState(null, "", "/invite");
    if (hasForm) await callAccount("/sign-in/email", { email, password });
    window.location.replace("/");
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit().catch(() => undefined); // shown below
      }}
    >
      <h1 className="text-lg">Join {workspace}</h1>
      <p className="text-muted">
        You are invited as <strong className="font-semibold text-text">{role}</strong>, with the address {email}.
      </p>
      {joinBy === "session" ? <p className="text-muted">You are signed in with this address.</p> : null}
      {joinBy === "sign_in" ? (
        <p className="text-muted">
          This address has an account. <SignInFirst token={token} />, then join.
        </p>
      ) : null}
      {joinBy === "new_password" ? (
        <p className="text-muted">
          This address has an account, and nobody has proven until now that the address is theirs. This link proves it.
          Choose a password: the former one, a second factor and every other browser of the account are signed out.
        </p>
      ) : null}
      {hasForm ? (
        <>
          <Field label="Your name" error={wrongs.name}>
            <Input
              autoFocus
              autoComplete="name"
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Field label="Password" help="At least 12 characters." error={wrongs.password}>
            <Input
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          {joinBy === "account" ? (
            <p className="text-muted text-sm">
              You have an account with this address? <SignInFirst token={token} />, then open this invitation again.
            </p>
          ) : null}
        </>
      ) : null}
      {accept.error ? <ErrorLine>{failureSentence(accept.error)}</ErrorLine> : null}
      {joinBy === "sign_in" ? null : (
        <Button type="submit" variant="primary" size="lg" busy={accept.isPending} className="self-start">
          Join
        </Button>
      )}
    </form>
  );
}

/** Leads to the sign-in page, and from there back to the invitation. */
function SignInFirst({ token }: { token: string }) {
  const back = encodeURIComponent(`/invite?token=${encodeURIComponent(token)}`);
  return (
    <Link href={`/sign-in?next=${back}`} className="underline">
      Sign in
    </Link>
  );
}
