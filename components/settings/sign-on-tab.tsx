"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed, textOrAbsent } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { type SaveSignOn, type SignOnView, saveSignOn } from "@/server/people/schema";

/** The company's own identity provider: people sign in there, and invitations determine who may. */
export function SignOnTab() {
  const trpc = useTRPC();
  const signOn = useQuery(trpc.installation.signOn.queryOptions());
  return (
    <Loaded query={signOn} what="Sign-on" place="min-h-149 sm:min-h-133">
      {(view) => <SignOnForm key={String(view.provider === null)} view={view} onSaved={() => signOn.refetch()} />}
    </Loaded>
  );
}

/** If a secret is stored, an empty field keeps it. */
const keptSecret = saveSignOn.extend({ clientSecret: textOrAbsent.pipe(saveSignOn.shape.clientSecret) });
const newSecret = saveSignOn.extend({ clientSecret: needed("Enter the client secret.").max(500) });

function SignOnForm({ view, onSaved }: { view: SignOnView; onSaved: () => Promise<unknown> }) {
  const { callbackUrl, provider } = view;
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm<z.input<typeof newSecret>, SaveSignOn>(provider?.hasSecret ? keptSecret : newSecret, {
    label: provider?.label ?? "Sign in with your company",
    issuer: provider?.issuer ?? "",
    clientId: provider?.clientId ?? "",
    clientSecret: "",
  });
  const done = (says: string) => async () => {
    toast.success(says);
    form.resetField("clientSecret");
    await Promise.all([onSaved(), queries.invalidateQueries({ queryKey: trpc.access.waysIn.queryKey() })]);
  };
  const save = useMutation(trpc.installation.saveSignOn.mutationOptions({ onSuccess: done("Sign-on saved") }));
  const remove = useMutation(trpc.installation.removeSignOn.mutationOptions({ onSuccess: done("Sign-on removed") }));
  return (
    <Section title="OpenID Connect" framed>
      <Form
        form={form}
        className="max-w-130"
        onSubmit={(values) => save.mutateAsync(values)}
        foot={
          <>
            {remove.error ? <ErrorLine>{failureSentence(remove.error)}</ErrorLine> : null}
            <div className="flex gap-2">
              <PermittedButton
                to="installation:manage"
                type="submit"
                variant="primary"
                busy={form.formState.isSubmitting}
              >
                Save sign-on
              </PermittedButton>
              {provider ? (
                <PermittedButton to="installation:manage" busy={remove.isPending} onClick={() => remove.mutate()}>
                  Remove
                </PermittedButton>
              ) : null}
            </div>
          </>
        }
      >
        <p className="text-muted">
          Only invited or existing accounts can sign in, and only with an e-mail address that the provider verified.
          Budgets, policies and alerts can use the groups in the claim <code>groups</code>.
        </p>
        <FormField
          form={form}
          name="issuer"
          label="Provider"
          help="The provider's issuer URL, where /.well-known/openid-configuration is found."
        >
          {(field) => <Input {...field} autoComplete="off" placeholder="https://login.example.org" />}
        </FormField>
        <FormField form={form} name="clientId" label="Client id">
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <FormField
          form={form}
          name="clientSecret"
          label="Client secret"
          aside={provider?.hasSecret ? "already set" : undefined}
          help="The secret is stored encrypted and never shown again."
        >
          {(field) => <Input {...field} type="password" autoComplete="new-password" />}
        </FormField>
        <FormField form={form} name="label" label="Button">
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <RedirectAddress url={callbackUrl} />
      </Form>
    </Section>
  );
}

function RedirectAddress({ url }: { url: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium text-sm">Redirect address that the provider must allow</p>
      <div className="flex items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2.5">
        <code className="min-w-0 flex-1 break-all">{url}</code>
        <CopyButton text={url} label="Copy address" size="sm" />
      </div>
    </div>
  );
}
