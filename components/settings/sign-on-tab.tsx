"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { type SignOnView, saveSignOn } from "@/server/people/schema";

/** The company's own identity provider: people sign in there, and invitations say who may. */
export function SignOnTab() {
  const trpc = useTRPC();
  const signOn = useQuery(trpc.installation.signOn.queryOptions());
  return (
    <Loaded query={signOn} what="Sign-on">
      {(view) => <Form key={String(view.provider === null)} view={view} onSaved={() => signOn.refetch()} />}
    </Loaded>
  );
}

function Form({ view: { callbackUrl, provider }, onSaved }: { view: SignOnView; onSaved: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [draft, setDraft] = useState({
    label: provider?.label ?? "Sign in with your company",
    issuer: provider?.issuer ?? "",
    clientId: provider?.clientId ?? "",
    clientSecret: "",
  });
  const [wrongs, setWrongs] = useState<Readonly<Record<string, string>>>({});
  const done = (says: string) => async () => {
    toast.success(says);
    setDraft((now) => ({ ...now, clientSecret: "" }));
    await Promise.all([onSaved(), queries.invalidateQueries({ queryKey: trpc.access.waysIn.queryKey() })]);
  };
  const save = useMutation(trpc.installation.saveSignOn.mutationOptions({ onSuccess: done("Sign-on is saved") }));
  const remove = useMutation(trpc.installation.removeSignOn.mutationOptions({ onSuccess: done("Sign-on is removed") }));
  const submit = () => {
    const { clientSecret, ...rest } = draft;
    const parsed = saveSignOn.safeParse(clientSecret === "" && provider?.hasSecret ? rest : draft);
    setWrongs(
      parsed.success ? {} : Object.fromEntries(parsed.error.issues.map((one) => [String(one.path[0]), one.message])),
    );
    if (parsed.success) save.mutate(parsed.data);
  };
  const field = (name: keyof typeof draft) => ({
    value: draft[name],
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => setDraft((now) => ({ ...now, [name]: event.target.value })),
  });
  return (
    <Section title="OpenID Connect" framed>
      <form
        noValidate
        className="flex max-w-130 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="text-muted">
          Whoever signs in there is let in here when an invitation, or an account, has the e-mail address that the
          provider verified. Nobody else is.
        </p>
        <Field
          label="Provider"
          help="Its issuer; /.well-known/openid-configuration is read from there."
          error={wrongs.issuer}
        >
          <Input {...field("issuer")} placeholder="https://login.example.org" />
        </Field>
        <Field label="Client id" error={wrongs.clientId}>
          <Input {...field("clientId")} />
        </Field>
        <Field
          label="Client secret"
          aside={provider?.hasSecret ? "one is kept" : undefined}
          help="Kept encrypted, never shown again."
          error={wrongs.clientSecret}
        >
          <Input {...field("clientSecret")} type="password" autoComplete="new-password" />
        </Field>
        <Field label="Button" error={wrongs.label}>
          <Input {...field("label")} />
        </Field>
        <div className="flex flex-col gap-1">
          <p className="font-medium text-sm">Redirect address to allow there</p>
          <div className="flex items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2.5">
            <code className="min-w-0 flex-1 break-all">{callbackUrl}</code>
            <CopyButton text={callbackUrl} label="Copy address" size="sm" />
          </div>
        </div>
        {save.error ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
        {remove.error ? <ErrorLine>{failureSentence(remove.error)}</ErrorLine> : null}
        <div className="flex gap-2">
          <PermittedButton to="installation:manage" type="submit" variant="primary" busy={save.isPending}>
            Save sign-on
          </PermittedButton>
          {provider ? (
            <PermittedButton to="installation:manage" busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove
            </PermittedButton>
          ) : null}
        </div>
      </form>
    </Section>
  );
}
