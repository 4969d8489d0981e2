"use client";

import { useState } from "react";
import { useAccountCall } from "@/components/access/use-account-call";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type Step = "password" | "code" | "recovery" | "forgotten" | "mailed";

interface PasswordSignInProps {
  onSignedIn: () => void;
  /** `code` where a sign-in link was taken and the second factor is what is missing. */
  firstStep?: "password" | "code";
}

/** E-mail and password, the second factor when there is one, and what to do when the password is forgotten. */
export function PasswordSignIn({ onSignedIn, firstStep = "password" }: PasswordSignInProps) {
  const [step, setStep] = useState<Step>(firstStep);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const { send, isPending, failure, fail } = useAccountCall();
  const go = (next: Step) => {
    fail(null);
    setCode("");
    setStep(next);
  };
  const submit = async () => {
    if (step === "password") {
      const value = await send("/sign-in/email", { email, password });
      if (value?.twoFactorRedirect === true) go("code");
      else if (value) onSignedIn();
    } else if (step === "forgotten") {
      if (await send("/request-password-reset", { email })) setStep("mailed");
    } else {
      const path = step === "code" ? "/two-factor/verify-totp" : "/two-factor/verify-backup-code";
      if (await send(path, { code: code.trim() })) onSignedIn();
    }
  };
  if (step === "mailed")
    return (
      <p role="status">
        If {email} belongs to a person here and mail is set up, a link is on its way. It works once, within the hour.
        Without mail, an admin can make one.
      </p>
    );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {step === "password" || step === "forgotten" ? (
        <Field label="E-mail">
          <Input
            key={step}
            type="email"
            required
            autoFocus
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
      ) : null}
      {step === "password" ? (
        <Field label="Password">
          <Input
            type="password"
            required
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      ) : null}
      {step === "code" || step === "recovery" ? (
        <Field
          label={step === "code" ? "Code" : "Recovery code"}
          help={step === "code" ? "The six digits that your authenticator shows." : "Each works once."}
        >
          <Input
            key={step}
            required
            autoFocus
            mono
            autoComplete="one-time-code"
            inputMode={step === "code" ? "numeric" : "text"}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      ) : null}
      {failure ? <ErrorLine>{failure}</ErrorLine> : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" size="lg" busy={isPending}>
          {step === "forgotten" ? "Send a link" : step === "password" ? "Sign in" : "Go on"}
        </Button>
        {step === "password" ? (
          <Button variant="link" type="button" onClick={() => go("forgotten")}>
            Forgot password?
          </Button>
        ) : (
          <Button variant="link" type="button" onClick={() => go("password")}>
            Back
          </Button>
        )}
        {step === "code" ? (
          <Button variant="link" type="button" onClick={() => go("recovery")}>
            Use a recovery code
          </Button>
        ) : null}
      </div>
    </form>
  );
}
