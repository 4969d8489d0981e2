"use client";

import { useState } from "react";
import { useAccountCall } from "@/components/access/use-account-call";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";

interface Enrolling {
  readonly uri: string;
  readonly codes: readonly string[];
}

/** A code from an authenticator beside the password: on, off, and the codes for when the phone is gone. */
export function SecondFactorSection({ isOn, onChanged }: { isOn: boolean; onChanged: () => Promise<unknown> }) {
  const [password, setPassword] = useState("");
  const [enrolling, setEnrolling] = useState<Enrolling | null>(null);
  const { send, isPending, failure } = useAccountCall();
  const begin = async () => {
    const value = await send("/two-factor/enable", { password });
    if (typeof value?.totpURI !== "string" || !Array.isArray(value.backupCodes)) return;
    setPassword("");
    setEnrolling({ uri: value.totpURI, codes: value.backupCodes.map(String) });
  };
  const end = async () => {
    if (!(await send("/two-factor/disable", { password }))) return;
    setPassword("");
    toast.success("The second factor is off");
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
            toast.success("The second factor is on");
            await onChanged();
          }}
        />
      ) : (
        <form
          className="flex max-w-100 flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            void (isOn ? end() : begin());
          }}
        >
          <p className="text-muted">
            {isOn
              ? "Signing in asks for a code from your authenticator, beside your password."
              : "With one, your password alone opens nothing: a code from an app on your phone is asked for too."}
          </p>
          <Field label="Your password">
            <Input
              type="password"
              required
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          {failure ? <ErrorLine>{failure}</ErrorLine> : null}
          <Button type="submit" busy={isPending} className="self-start">
            {isOn ? "Turn it off" : "Set it up"}
          </Button>
        </form>
      )}
    </Section>
  );
}

function Confirm({ enrolling: { uri, codes }, onDone }: { enrolling: Enrolling; onDone: () => Promise<void> }) {
  const [code, setCode] = useState("");
  const { send, isPending, failure } = useAccountCall();
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <form
      className="flex max-w-130 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send("/two-factor/verify-totp", { code: code.trim() }).then((value) => (value ? onDone() : undefined));
      }}
    >
      <div className="flex flex-col gap-1">
        <p>
          1. Give this key to your authenticator, or{" "}
          <a className="link" href={uri}>
            open it there
          </a>
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
        <p>
          2. Keep these recovery codes where you find them without your phone. Each works once; they are shown this
          once.
        </p>
        <div className="flex items-start gap-2 rounded-md border bg-sunken p-2 pl-3">
          <ul className="grid flex-1 grid-cols-2 gap-x-4 font-mono text-sm" aria-label="Recovery codes">
            {codes.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <CopyButton text={codes.join("\n")} label="Copy codes" />
        </div>
      </div>
      <Field label="3. The code it shows now">
        <Input
          required
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          className="max-w-40"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      {failure ? <ErrorLine>{failure}</ErrorLine> : null}
      <Button type="submit" variant="primary" busy={isPending} className="self-start">
        Turn it on
      </Button>
    </form>
  );
}
