"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type MailView, saveMail } from "@/server/people/schema";

/** The mail server for invitations and reset links. */
export function MailTab() {
  const trpc = useTRPC();
  const mail = useQuery(trpc.installation.mail.queryOptions());
  return (
    <Loaded query={mail} what="The mail server">
      {(view) => <Form view={view} onSaved={() => mail.refetch()} />}
    </Loaded>
  );
}

const SECURITY = [
  { value: "starttls", label: "STARTTLS, usually 587" },
  { value: "tls", label: "TLS, usually 465" },
  { value: "none", label: "none, for a server on this machine" },
] as const;

function Form({ view, onSaved }: { view: MailView; onSaved: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState({
    host: view?.host ?? "",
    port: String(view?.port ?? 587),
    user: view?.user ?? "",
    from: view?.from ?? "",
    password: "",
  });
  const [security, setSecurity] = useState<(typeof SECURITY)[number]["value"]>(view?.security ?? "starttls");
  const [wrongs, setWrongs] = useState<Readonly<Record<string, string>>>({});
  const save = useMutation(trpc.installation.saveMail.mutationOptions());
  const test = useMutation(
    trpc.installation.testMail.mutationOptions({
      onSuccess: ({ to }) => toast.success(`A test mail is on its way to ${to}`),
    }),
  );
  const submit = async () => {
    const { password, port, ...rest } = draft;
    const parsed = saveMail.safeParse({
      ...rest,
      security,
      port: Number(port),
      ...(password === "" ? {} : { password }),
    });
    setWrongs(
      parsed.success ? {} : Object.fromEntries(parsed.error.issues.map((one) => [String(one.path[0]), one.message])),
    );
    if (!parsed.success) return;
    await save.mutateAsync(parsed.data);
    toast.success("The mail server is saved");
    setDraft((now) => ({ ...now, password: "" }));
    await onSaved();
  };
  const field = (name: keyof typeof draft) => ({
    value: draft[name],
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => setDraft((now) => ({ ...now, [name]: event.target.value })),
  });
  return (
    <Section title="Mail" framed>
      <form
        noValidate
        className="flex max-w-130 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit().catch(() => undefined); // shown below
        }}
      >
        <p className="text-muted">
          Invitations and password links go out by it. Without one they are shown to the admin who made them.
        </p>
        <div className="grid gap-4 sm:grid-cols-[1fr_96px]">
          <Field label="Server" error={wrongs.host}>
            <Input {...field("host")} placeholder="smtp.example.org" />
          </Field>
          <Field label="Port" error={wrongs.port}>
            <Input {...field("port")} inputMode="numeric" />
          </Field>
        </div>
        <Field label="Encryption">
          <Select value={security} onChange={setSecurity} options={SECURITY} />
        </Field>
        <Field label="User" aside="optional" error={wrongs.user}>
          <Input {...field("user")} />
        </Field>
        <Field
          label="Password"
          aside={view?.hasPassword ? "one is kept" : "optional"}
          help="Kept encrypted, never shown again."
          error={wrongs.password}
        >
          <Input {...field("password")} type="password" autoComplete="new-password" />
        </Field>
        <Field label="From" error={wrongs.from}>
          <Input {...field("from")} type="email" placeholder="quarterdeck@example.org" />
        </Field>
        {save.error ? <ErrorLine>{failureSentence(save.error)}</ErrorLine> : null}
        {test.error ? <ErrorLine>{failureSentence(test.error)}</ErrorLine> : null}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save mail server
          </Button>
          {view ? (
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              Send me a test
            </Button>
          ) : null}
        </div>
      </form>
    </Section>
  );
}
