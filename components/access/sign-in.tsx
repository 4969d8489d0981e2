"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { FirstPasswordForm } from "@/components/access/first-password-form";
import { nextPage } from "@/components/access/next-page";
import { PasswordSignIn, SIGN_IN_HEADINGS, type SignInStep } from "@/components/access/password-sign-in";
import { SignInCommand } from "@/components/access/sign-in-command";
import { SignOnButton } from "@/components/access/sign-on-button";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";

const UNCONFIRMED =
  "Your provider did not confirm your identity. Try again. If the problem persists, ask the server's operator to check its log.";
/** Sentences by the account library's codes for what went wrong at the provider or with its answer. */
const SIGN_ON_FAILURES: Readonly<Record<string, string>> = {
  not_invited: "Your e-mail address has no invitation, or your provider has not verified the address.",
  account_not_linked:
    "An account with this e-mail address exists, but the address is not verified. Sign in another way, then connect your provider in Settings.",
  no_workspace: "You no longer belong to a workspace. Ask an admin of the workspace to invite you.",
  invalid_code: UNCONFIRMED,
  unable_to_get_user_info: UNCONFIRMED,
  access_denied: "Your provider denied the sign-in.",
};

export interface SignInProps {
  /** The one-time token of the link, when there is one. */
  token: string | null;
  /** Where the person wanted to go. */
  next: string | null;
  /** The person who is signed in already. */
  person: string | null;
  /** The text of the sign-on button; null without a provider. */
  signOn: string | null;
  /** True if at least one account has a password. */
  hasPasswords: boolean;
  /** The reason that sign-on did not work, as a code. */
  failure: string | null;
}

/** Spends a sign-in link and opens the requested page; without a link, explains how to get one. */
export function SignIn({ token, next, person, signOn, hasPasswords, failure }: SignInProps) {
  const trpc = useTRPC();
  const page = nextPage(next);
  const isSpent = useRef(false);
  const [step, setStep] = useState<SignInStep>("password");
  const { mutate, data, error, isPending, isSuccess } = useMutation(
    trpc.access.signIn.mutationOptions({
      // Loads a new document: nothing fetched while signed out stays, and the link is not in the history.
      onSuccess: ({ asksSecondFactor, firstPassword }) =>
        asksSecondFactor || firstPassword !== null || window.location.replace(page),
    }),
  );
  useEffect(() => {
    // Synchronises with the address bar: a one-time token has no business there, nor in the history.
    if (token === null || isSpent.current) return;
    isSpent.current = true;
    window.history.replaceState(null, "", next === null ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`);
    mutate({ token });
  }, [token, next, mutate]);

  if (data?.asksSecondFactor) return <SecondFactor page={page} />;
  if (data?.firstPassword) return <FirstPassword email={data.firstPassword.email} page={page} />;
  if (token !== null && !error)
    return (
      <p role="status" className="flex items-center justify-center gap-2 text-muted">
        <Spinner /> {isPending || !isSuccess ? "Signing you in…" : "You are signed in."}
      </p>
    );
  if (person !== null && !error)
    return (
      <div className="flex flex-col gap-4">
        <h1 className="text-lg">You are signed in as {person}</h1>
        <Button asChild variant="primary" size="lg">
          <Link href={page}>Go to the console</Link>
        </Button>
      </div>
    );
  // A token too short or too long to be one is as useless as a spent one.
  const isUseless = appCodeOf(error) === "sign_in_link_spent" || appCodeOf(error) === "invalid_input";
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg">{error ? "This sign-in link did not work" : SIGN_IN_HEADINGS[step]}</h1>
      {error ? (
        <ErrorLine>
          {isUseless
            ? "The sign-in link has expired, was already used, or is incomplete. A sign-in link works once and expires after one day."
            : failureSentence(error)}
        </ErrorLine>
      ) : null}
      {error && !isUseless && token !== null ? (
        <Button onClick={() => mutate({ token })} busy={isPending} className="self-start">
          Try again
        </Button>
      ) : null}
      {failure && !error ? (
        <ErrorLine>{SIGN_ON_FAILURES[failure] ?? "Sign-in through your provider failed."}</ErrorLine>
      ) : null}
      {signOn === null || error || step !== "password" ? null : (
        <SignOnButton label={signOn} next={page} path="/sign-in/social" />
      )}
      {hasPasswords && !error ? (
        <PasswordSignIn step={step} onStep={setStep} onSignedIn={() => window.location.replace(page)} />
      ) : null}
      <p className="text-muted">
        {hasPasswords || signOn !== null
          ? "Or sign in with a link. To print one, run this command on the server, in the directory where Quarterdeck was started:"
          : "Sign in with a single-use link. To print one, run this command on the server, in the directory where Quarterdeck was started:"}
      </p>
      <SignInCommand />
      <p className="text-muted text-sm">
        Until the first sign-in, the server also prints a sign-in link each time the server starts.
      </p>
    </div>
  );
}

/** A sign-in link was accepted, and only the second factor is missing. */
function SecondFactor({ page }: { page: string }) {
  const [step, setStep] = useState<SignInStep>("code");
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg">{SIGN_IN_HEADINGS[step]}</h1>
      <PasswordSignIn step={step} onStep={setStep} onSignedIn={() => window.location.replace(page)} />
    </div>
  );
}

/** A person who signed in through the machine's link has no other way to sign in yet. */
function FirstPassword({ email, page }: { email: string | null; page: string }) {
  const goOn = () => window.location.replace(page);
  return (
    <FirstPasswordForm email={email} onSet={goOn} onNotNow={goOn}>
      <h1 className="text-lg">Choose a password</h1>
      <p className="text-muted">
        You signed in with a link. Set a password to sign in directly and to confirm actions such as resuming a halted
        agent. Without a password, each confirmation requires a command on the server.
      </p>
    </FirstPasswordForm>
  );
}
