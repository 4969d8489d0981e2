"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { said, textOrAbsent, wholeFrom } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { type MailView, type SaveMail, saveMail } from "@/server/people/schema";

/** The mail server for invitations and reset links. */
export function MailTab() {
  const trpc = useTRPC();
  const mail = useQuery(trpc.installation.mail.queryOptions());
  return (
    <Loaded query={mail} what="The mail server">
      {(view) => <MailForm view={view} onSaved={() => mail.refetch()} />}
    </Loaded>
  );
}

const SECURITY = [
  { value: "starttls", label: "STARTTLS, usually 587" },
  { value: "tls", label: "TLS, usually 465" },
  { value: "none", label: "none (server on this machine)" },
] as const;

/** The form's fields: a port is typed as text, and an empty password keeps the stored one. */
const mailForm = saveMail.extend({
  port: said(wholeFrom(1, 65_535), "Enter a port, such as 587."),
  password: textOrAbsent.pipe(saveMail.shape.password),
});

function MailForm({ view, onSaved }: { view: MailView; onSaved: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const form = useForm(mailForm, {
    host: view?.host ?? "",
    port: String(view?.port ?? 587),
    user: view?.user ?? "",
    from: view?.from ?? "",
    security: view?.security ?? "starttls",
    password: "",
  });
  const save = useMutation(trpc.installation.saveMail.mutationOptions());
  const test = useMutation(
    trpc.installation.testMail.mutationOptions({
      onSuccess: ({ to }) => toast.success(`Test e-mail sent to ${to}`),
    }),
  );
  const submit = async (values: SaveMail) => {
    await save.mutateAsync(values);
    toast.success("Mail server saved");
    form.resetField("password");
    await onSaved();
  };
  return (
    <Section title="Mail" framed>
      <Form
        form={form}
        className="max-w-130"
        onSubmit={submit}
        foot={
          <>
            {test.error ? <ErrorLine>{failureSentence(test.error)}</ErrorLine> : null}
            <div className="flex gap-2">
              <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
                Save mail server
              </Button>
              {view ? (
                <Button busy={test.isPending} onClick={() => test.mutate()}>
                  Send test
                </Button>
              ) : null}
            </div>
          </>
        }
      >
        <p className="text-muted">
          Invitations and password links are sent through this mail server. Without one, links are shown to the admin
          who creates them.
        </p>
        <div className="grid gap-4 sm:grid-cols-[1fr_96px]">
          <FormField form={form} name="host" label="Server">
            {(field) => <Input {...field} autoComplete="off" placeholder="smtp.example.org" />}
          </FormField>
          <FormField form={form} name="port" label="Port">
            {(field) => <Input {...field} autoComplete="off" inputMode="numeric" />}
          </FormField>
        </div>
        <FormField form={form} name="security" label="Encryption">
          {(field) => <Select {...field} options={SECURITY} />}
        </FormField>
        <FormField form={form} name="user" label="User" aside="optional">
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <FormField
          form={form}
          name="password"
          label="Password"
          aside={view?.hasPassword ? "already set" : "optional"}
          help="The password is stored encrypted and never shown again."
        >
          {(field) => <Input {...field} type="password" autoComplete="new-password" />}
        </FormField>
        <FormField form={form} name="from" label="From">
          {(field) => <Input {...field} type="email" autoComplete="off" placeholder="quarterdeck@example.org" />}
        </FormField>
      </Form>
    </Section>
  );
}
