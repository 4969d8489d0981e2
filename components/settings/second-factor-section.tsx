"use client";

import { useState } from "react";
import { z } from "zod";
import { sendAccount } from "@/components/access/account-call";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";

interface Enrolling {
  readonly uri: string;
  readonly codes: readonly string[];
}

const passwordForm = z.object({ password: z.string().min(1, "Enter your password.") });
const codeForm = z.object({ code: needed("Enter the code.") });

/** The second factor of an account: on, off, and recovery codes for a lost phone. */
export function SecondFactorSection({ isOn, onChanged }: { isOn: boolean; onChanged: () => Promise<unknown> }) {
  const form = useForm(passwordForm, { password: "" });
  const [enrolling, setEnrolling] = useState<Enrolling | null>(null);
  const begin = async (body: z.infer<typeof passwordForm>) => {
    const { totpURI, backupCodes } = await sendAccount("/two-factor/enable", body);
    if (typeof totpURI !== "string" || !Array.isArray(backupCodes)) return;
    form.reset();
    setEnrolling({ uri: totpURI, codes: backupCodes.map(String) });
  };
  const end = async (body: z.infer<typeof passwordForm>) => {
    await sendAccount("/two-factor/disable", body);
    form.reset();
    toast.success("Second factor turned off");
    await onChanged();
  };
  return (
    <Section
      title="Second factor"
      aside={<Mark tone={isOn ? "allow" : "unknown"} label={isOn ? "on" : "off"} />}
      framed
    >
      {enrolling ? (
        <Confirm
          enrolling={enrolling}
          onDone={async () => {
            setEnrolling(null);
            toast.success("Second factor turned on");
            await onChanged();
          }}
        />
      ) : (
        <Form
          form={form}
          className="max-w-100 gap-3"
          onSubmit={isOn ? end : begin}
          action={isOn ? "Turn off" : "Set up"}
        >
          <p className="text-muted">
            {isOn
              ? "Sign-in requires your password and a code from your authenticator."
              : "With a second factor, sign-in also requires a code from an app on your phone."}
          </p>
          <FormField form={form} name="password" label="Your password">
            {(field) => <Input {...field} type="password" autoComplete="current-password" />}
          </FormField>
        </Form>
      )}
    </Section>
  );
}

function Confirm({ enrolling: { uri, codes }, onDone }: { enrolling: Enrolling; onDone: () => Promise<void> }) {
  const form = useForm(codeForm, { code: "" });
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <Form
      form={form}
      className="max-w-130"
      onSubmit={async (body) => {
        await sendAccount("/two-factor/verify-totp", body);
        await onDone();
      }}
      foot={
        <Button type="submit" variant="primary" busy={form.formState.isSubmitting} className="self-start">
          Turn on
        </Button>
      }
    >
      <div className="flex flex-col gap-1">
        <p>
          1. Add this key to your authenticator, or{" "}
          <a className="link" href={uri}>
            {" "}
            open it there{" "}
          </a>{" "}
          .
        </p>
        <div className="flex items-center gap-2 rounded-md border bg-sunken p-2 pl-3">
          <code className="min-w-0 flex-1 break-all" data-testid="totp-secret">
            {secret}
          </code>
          <CopyButton text={secret} label="Copy key" />
        </div>
      </div>
      <div className="flex flex-col gap-1">
        <p>2. Store these recovery codes somewhere other than your phone. Each works once. They are shown only once.</p>
        <div className="flex items-start gap-2 rounded-md border bg-sunken p-2 pl-3">
          <ul className="grid flex-1 grid-cols-2 gap-x-4 font-mono text-sm" aria-label="Recovery codes">
            {codes.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <CopyButton text={codes.join("\n")} label="Copy codes" />
        </div>
      </div>
      <FormField form={form} name="code" label="3. Code from your authenticator">
        {(field) => <Input {...field} mono inputMode="numeric" autoComplete="one-time-code" className="max-w-40" />}
      </FormField>
    </Form>
  );
}
