"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { sendAccount } from "@/components/access/account-call";
import { SignInCommand } from "@/components/access/sign-in-command";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import type { SecurityView } from "@/server/people/schema";

interface ConfirmationProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** The ways to confirm the identity: password, code, or a sign-in in another tab. */
export function StepUpForm(props: ConfirmationProps) {
  const trpc = useTRPC();
  const { data: account, error } = useQuery(trpc.access.security.queryOptions());
  if (error) return <ErrorLine>{failureSentence(error)}</ErrorLine>;
  if (!account)
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner /> Loading your account…
      </p>
    );
  return account.hasPassword ? <ByForm account={account} {...props} /> : <InOtherTab account={account} {...props} />;
}

const BY = {
  code: { path: "/two-factor/verify-totp", field: "code", label: "Code", other: "Use your password" },
  password: { path: "/verify-password", field: "password", label: "Password", other: "Use a code" },
} as const;
const SCHEMAS = {
  code: z.object({ text: needed("Write the code.") }),
  password: z.object({ text: z.string().min(1, "Write your password.") }),
};

/** Confirms by the second factor or the password. */
function ByForm({ account, onConfirmed, onCancel }: ConfirmationProps & { account: SecurityView }) {
  const [by, setBy] = useState<keyof typeof BY>(account.hasSecondFactor ? "code" : "password");
  const form = useForm(SCHEMAS[by], { text: "" });
  const { path, field, label, other } = BY[by];
  return (
    <Form
      form={form}
      onSubmit={async ({ text }) => {
        await sendAccount(path, { [field]: text });
        onConfirmed();
      }}
      onCancel={onCancel}
      action="Confirm"
    >
      <FormField
        form={form}
        name="text"
        label={label}
        help={by === "code" ? "Enter the six digits from your authenticator app." : undefined}
      >
        {(control) =>
          by === "code" ? (
            <Input {...control} key={by} autoFocus inputMode="numeric" autoComplete="one-time-code" />
          ) : (
            <Input {...control} key={by} type="password" autoFocus autoComplete="current-password" />
          )
        }
      </FormField>
      {account.hasSecondFactor ? (
        <Button
          variant="link"
          className="self-start"
          onClick={() => {
            form.reset();
            setBy(by === "code" ? "password" : "code");
          }}
        >
          {other}
        </Button>
      ) : null}
    </Form>
  );
}

/** Without a password: by signing in once more, at the provider or with a link, in another tab of this browser. */
function InOtherTab({ account, onConfirmed, onCancel }: ConfirmationProps & { account: SecurityView }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { data: me } = useQuery(trpc.access.me.queryOptions());
  const { data: ways } = useQuery(trpc.access.waysIn.queryOptions());
  const form = useForm(z.object({}), {});
  const goOn = async () => {
    const now = await client.access.me.query();
    // The call was made in the name of one person, in one workspace.
    if (now.id !== me?.id || now.workspaceId !== me.workspaceId)
      throw new Error("You have switched to another account or workspace. Reload this page.");
    onConfirmed();
  };
  return (
    <Form form={form} onSubmit={goOn} onCancel={onCancel} action="Go on">
      {account.hasSignOn ? (
        <ProviderButton label={ways?.signOn ?? "Your provider"} />
      ) : (
        <>
          <p className="text-muted">
            You have no password. Run this on the server, and open its link in another tab of this browser. Then
            continue.
          </p>
          <SignInCommand />
        </>
      )}
    </Form>
  );
}

/** Makes the provider authenticate the person again, even with an existing session. */
const ASK_AGAIN = { prompt: "login", max_age: "0" };

function ProviderButton({ label }: { label: string }) {
  const [failure, setFailure] = useState<string | null>(null);
  const go = async () => {
    setFailure(null);
    // Opened while the click counts: afterwards a browser takes it for a pop-up.
    const tab = window.open("", "_blank");
    const back = { callbackURL: "/sign-in", errorCallbackURL: "/sign-in", disableRedirect: true };
    try {
      const { url } = await sendAccount("/sign-in/social", {
        provider: "sign-on",
        ...back,
        additionalParams: ASK_AGAIN,
      });
      if (tab) tab.opener = null;
      if (tab && typeof url === "string") tab.location.assign(url);
    } catch (error) {
      tab?.close();
      setFailure(failureSentence(error));
    }
  };
  return (
    <>
      <p className="text-muted">Sign in again at your provider, in the tab that opens. Then continue on this page.</p>
      <Button className="self-start" onClick={() => void go()}>
        {label}
      </Button>
      {failure ? <ErrorLine>{failure}</ErrorLine> : null}
    </>
  );
}
