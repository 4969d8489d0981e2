"use client";

import { z } from "zod";
import { sendAccount } from "@/components/access/account-call";
import { Button } from "@/components/ui/button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";

export type SignInStep = "password" | "code" | "recovery" | "forgotten" | "mailed";

export const SIGN_IN_HEADINGS: Readonly<Record<SignInStep, string>> = {
  password: "Sign in",
  code: "Your second factor",
  recovery: "Your second factor",
  forgotten: "Reset your password",
  mailed: "Reset your password",
};

const texts = { email: z.string(), password: z.string(), code: z.string() };
const email = needed("Enter your e-mail address.");
const password = z.string().min(1, "Enter your password.");
const code = needed("Enter the code.");
const BY_STEP = {
  password: z.object({ ...texts, email, password }),
  code: z.object({ ...texts, code }),
  recovery: z.object({ ...texts, code }),
  forgotten: z.object({ ...texts, email }),
  mailed: z.object(texts),
};
type Texts = z.infer<typeof BY_STEP.mailed>;

interface PasswordSignInProps {
  step: SignInStep;
  onStep: (step: SignInStep) => void;
  onSignedIn: () => void;
}

/** E-mail and password, the second factor if there is one, and help for a forgotten password. */
export function PasswordSignIn({ step, onStep, onSignedIn }: PasswordSignInProps) {
  const form = useForm(BY_STEP[step], { email: "", password: "", code: "" });
  const go = (next: SignInStep) => {
    form.clearErrors();
    form.resetField("code");
    onStep(next);
  };
  const submit = async ({ email, password, code }: Texts) => {
    if (step === "password") {
      const { twoFactorRedirect } = await sendAccount("/sign-in/email", { email, password });
      if (twoFactorRedirect === true) go("code");
      else onSignedIn();
    } else if (step === "forgotten") {
      await sendAccount("/request-password-reset", { email });
      onStep("mailed");
    } else {
      await sendAccount(step === "code" ? "/two-factor/verify-totp" : "/two-factor/verify-backup-code", { code });
      onSignedIn();
    }
  };
  if (step === "mailed")
    return (
      <p role="status">
        If {form.getValues("email")} has an account and mail is set up, a link is on its way. The link works once, for
        one hour. Without mail, ask an admin for a link.
      </p>
    );
  return (
    <Form form={form} onSubmit={submit} foot={<Buttons step={step} isBusy={form.formState.isSubmitting} onGo={go} />}>
      {step === "password" || step === "forgotten" ? (
        <FormField
          form={form}
          name="email"
          label="E-mail"
          help={
            step === "forgotten"
              ? "Quarterdeck sends a link to this address. The link opens a page to choose a new password."
              : undefined
          }
        >
          {(field) => <Input {...field} key={step} type="email" autoFocus autoComplete="username" />}
        </FormField>
      ) : null}
      {step === "password" ? (
        <FormField form={form} name="password" label="Password">
          {(field) => <Input {...field} type="password" autoComplete="current-password" />}
        </FormField>
      ) : null}
      {step === "code" || step === "recovery" ? (
        <FormField
          form={form}
          name="code"
          label={step === "code" ? "Code" : "Recovery code"}
          help={
            step === "code" ? "Enter the six digits from your authenticator app." : "Each recovery code works once."
          }
        >
          {(field) => (
            <Input
              {...field}
              key={step}
              autoFocus
              mono
              autoComplete="one-time-code"
              inputMode={step === "code" ? "numeric" : "text"}
            />
          )}
        </FormField>
      ) : null}
    </Form>
  );
}

interface ButtonsProps {
  step: SignInStep;
  isBusy: boolean;
  onGo: (step: SignInStep) => void;
}

function Buttons({ step, isBusy, onGo }: ButtonsProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button type="submit" variant="primary" size="lg" busy={isBusy}>
        {step === "forgotten" ? "Send a link" : step === "password" ? "Sign in" : "Continue"}
      </Button>
      {step === "password" ? (
        <Button variant="link" type="button" onClick={() => onGo("forgotten")}>
          Forgot password?
        </Button>
      ) : (
        <Button variant="link" type="button" onClick={() => onGo("password")}>
          Back
        </Button>
      )}
      {step === "code" ? (
        <Button variant="link" type="button" onClick={() => onGo("recovery")}>
          Sign in with a recovery code
        </Button>
      ) : null}
    </div>
  );
}
