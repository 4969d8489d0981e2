"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { SignOnButton } from "@/components/access/sign-on-button";
import { BrowsersSection } from "@/components/settings/browsers-section";
import { Loaded } from "@/components/settings/loaded";
import { PasswordSection } from "@/components/settings/password-section";
import { SecondFactorSection } from "@/components/settings/second-factor-section";
import { useTRPC } from "@/components/trpc/client";
import { Field } from "@/components/ui/field";
import { Form, FormField, useForm } from "@/components/ui/form";
import { browserZone, chooseViewerZone, viewerZone } from "@/components/ui/format/zone";
import { Input } from "@/components/ui/input";
import { SearchSelect } from "@/components/ui/search-select";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import { TIME_ZONES } from "@/server/calendar/schema";
import { type Rename, rename as renameInput } from "@/server/people/schema";

/** One's own account: name, password, second factor, browsers. */
export function ProfileTab() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const security = useQuery(trpc.access.security.queryOptions());
  const ways = useQuery(trpc.access.waysIn.queryOptions());
  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.access.security.queryKey() }),
      queries.invalidateQueries({ queryKey: trpc.access.me.queryKey() }),
    ]);
  return (
    <Loaded query={security} what="Your account">
      {(me) => (
        <div className="flex flex-col gap-6">
          <NameSection key={me.name} name={me.name} onSaved={renew} />
          <ClockSection />
          <PasswordSection email={me.email} hasPassword={me.hasPassword} onChanged={renew} />
          {me.hasPassword ? <SecondFactorSection isOn={me.hasSecondFactor} onChanged={renew} /> : null}
          {ways.data?.signOn ? (
            <Section title="Sign-on" framed>
              {me.hasSignOn ? (
                <p>Your account is connected: “{ways.data.signOn}” signs you in.</p>
              ) : (
                <div className="flex flex-col gap-3">
                  <p className="text-muted">
                    Connect your account with the provider. Both accounts must have the same e-mail address.
                  </p>
                  <SignOnButton label="Connect" next="/settings" path="/link-social" />
                </div>
              )}
            </Section>
          ) : null}
          <BrowsersSection sessions={me.sessions} onChanged={renew} />
        </div>
      )}
    </Loaded>
  );
}

function NameSection({ name, onSaved }: { name: string; onSaved: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const form = useForm(renameInput, { name });
  const save = useMutation(trpc.access.rename.mutationOptions());
  const submit = async (values: Rename) => {
    await save.mutateAsync(values);
    toast.success("Name saved");
    await onSaved();
  };
  return (
    <Section title="You" framed>
      <Form
        form={form}
        className="max-w-100 gap-3"
        onSubmit={submit}
        action="Save name"
        disabled={!form.formState.isDirty}
      >
        <FormField
          form={form}
          name="name"
          label="Name"
          help="Your name is shown in lists, on your publications and in the audit log."
        >
          {(field) => <Input {...field} maxLength={80} autoComplete="name" />}
        </FormField>
      </Form>
    </Section>
  );
}

const still = () => () => undefined;

/** The time zone of clock times, stored in this browser like the theme. */
function ClockSection() {
  const zone = useSyncExternalStore(still, viewerZone, () => "UTC");
  return (
    <Section title="Clock times" framed>
      <Field
        label="Time zone"
        help="The time zone is stored in this browser. Budgets and statements use the workspace’s time zone."
      >
        <SearchSelect
          value={zone}
          onChange={(chosen) => chooseViewerZone(chosen === browserZone() ? null : chosen)}
          options={TIME_ZONES}
          label="Time zones"
          placeholder="Search by city or continent"
          empty="No matching time zone."
          className="w-full max-w-80"
        />
      </Field>
    </Section>
  );
}
