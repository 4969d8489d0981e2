"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { z } from "zod";
import { KIND_LABELS, WAY_LABELS } from "@/components/notices/labels";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { Form, FormCheckbox, FormCheckRow, FormField, useForm } from "@/components/ui/form";
import { viewerZone } from "@/components/ui/format/zone";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { SearchSelect } from "@/components/ui/search-select";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { TIME_ZONES } from "@/server/calendar/schema";
import {
  type ChoicesView as Choices,
  NOTICE_KINDS,
  NOTICE_WAYS,
  type NoticeChoices,
  noticeChoices,
  quietHours,
} from "@/server/notices/schema";

/** One's own choices: kinds by ways, quiet hours, and a test. */
export function ChoicesView() {
  const trpc = useTRPC();
  const choices = useQuery(trpc.notices.choices.queryOptions());
  if (choices.data) return <ChoicesForm view={choices.data} onSaved={() => choices.refetch()} />;
  if (choices.error)
    return (
      <ErrorState
        title="Your preferences could not be loaded"
        reason={failureSentence(choices.error)}
        stillWorks="Your saved notification channels are not changed."
        onRetry={() => void choices.refetch()}
        retrying={choices.isFetching}
      />
    );
  return (
    <Loading label="your preferences">
      <Skeleton className="h-100" />
    </Loading>
  );
}

const NONE = "none";
const choicesForm = z
  .object({
    ways: noticeChoices.shape.ways,
    hasQuiet: z.boolean(),
    quiet: z.object({ from: z.string(), to: z.string(), timeZone: z.string() }),
    webhookId: z.string(),
  })
  .refine(
    ({ ways, webhookId }) => webhookId !== NONE || NOTICE_KINDS.every((kind) => !ways[kind].includes("webhook")),
    {
      message: "Choose a webhook.",
      path: ["webhookId"],
    },
  )
  .transform(({ ways, hasQuiet, quiet, webhookId }) => ({
    ways,
    quiet: hasQuiet ? quiet : null,
    webhookId: webhookId === NONE ? null : webhookId,
  }))
  .pipe(noticeChoices.extend({ quiet: quietHours.nullable() }));

const WAYS = NOTICE_WAYS.map((value) => ({ value, label: WAY_LABELS[value] }));

function ChoicesForm({ view, onSaved }: { view: Choices; onSaved: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const { choices, webhooks } = view;
  const form = useForm(choicesForm, {
    ways: choices.ways,
    hasQuiet: choices.quiet !== null,
    quiet: choices.quiet ?? { from: "22:00", to: "07:00", timeZone: viewerZone() },
    webhookId: webhooks.some(({ id }) => id === choices.webhookId) ? (choices.webhookId ?? NONE) : NONE,
  });
  const save = useMutation(trpc.notices.saveChoices.mutationOptions());
  const test = useMutation(
    trpc.notices.sendTest.mutationOptions({
      onSuccess: ({ ways }) =>
        toast.success("Test sent", { description: ways.map((way) => WAY_LABELS[way]).join(", ") }),
    }),
  );
  const submit = async (values: NoticeChoices) => {
    await save.mutateAsync(values);
    toast.success("Preferences saved");
    await onSaved();
  };
  const hasQuiet = useWatch({ control: form.control, name: "hasQuiet" });
  return (
    <Section title="Notification channels" framed>
      <Form
        form={form}
        onSubmit={submit}
        foot={
          <>
            {test.error ? <ErrorLine>{failureSentence(test.error)}</ErrorLine> : null}
            <div className="flex flex-wrap gap-2">
              <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
                Save preferences
              </Button>
              <Button busy={test.isPending} onClick={() => test.mutate()}>
                Send test
              </Button>
            </div>
          </>
        }
      >
        <MailNotice mail={view.mail} />
        <div className="flex flex-col divide-y divide-line border-line border-y">
          {NOTICE_KINDS.map((kind) => (
            <FormCheckRow
              key={kind}
              form={form}
              name={`ways.${kind}`}
              legend={KIND_LABELS[kind].label}
              help={KIND_LABELS[kind].help}
              options={WAYS}
            />
          ))}
        </div>
        <FormCheckbox
          form={form}
          name="hasQuiet"
          label="Quiet hours"
          help="During quiet hours, e-mail waits and the browser shows no notifications. The inbox still lists all notifications. Notifications about halts ignore quiet hours."
        />
        {hasQuiet ? <QuietHours form={form} /> : null}
        <WebhookField form={form} webhooks={webhooks} />
      </Form>
    </Section>
  );
}

type ChoicesFormState = UseFormReturn<z.input<typeof choicesForm>, unknown, NoticeChoices>;

function QuietHours({ form }: { form: ChoicesFormState }) {
  return (
    <div className="grid gap-3 sm:grid-cols-[120px_120px_minmax(0,1fr)]">
      <FormField form={form} name="quiet.from" label="From">
        {(field) => <Input {...field} type="time" />}
      </FormField>
      <FormField form={form} name="quiet.to" label="To">
        {(field) => <Input {...field} type="time" />}
      </FormField>
      <FormField form={form} name="quiet.timeZone" label="Time zone">
        {({ ref: _ref, onBlur: _onBlur, ...field }) => (
          <SearchSelect
            {...field}
            options={TIME_ZONES}
            label="Time zones"
            placeholder="Search by city or continent"
            empty="No matching time zone."
            className="w-full max-w-80"
          />
        )}
      </FormField>
    </div>
  );
}

function WebhookField({ form, webhooks }: { form: ChoicesFormState; webhooks: Choices["webhooks"] }) {
  const options = webhooks.map(({ id, host, shape }) => ({ value: id, label: `${host} (${shape})` }));
  return (
    <FormField
      form={form}
      name="webhookId"
      label="Webhook"
      help={
        webhooks.length === 0
          ? "No webhook accepts notifications yet. An admin can add such a webhook in Settings, Webhooks."
          : "Everyone in the webhook's channel can read your notifications."
      }
    >
      {(field) => (
        <Select
          {...field}
          disabled={webhooks.length === 0}
          options={[{ value: NONE, label: "None" }, ...options]}
          className="max-w-80"
        />
      )}
    </FormField>
  );
}

function MailNotice({ mail: { address, state, failure } }: { mail: Choices["mail"] }) {
  if (state === "no_server")
    return (
      <Notice kind="warning">
        E-mail is off: no mail server is set. An owner can set a mail server in Settings, Mail and sign-on.
      </Notice>
    );
  if (state === "no_address")
    return <Notice kind="warning">E-mail is off: you have no e-mail address. Add an address in Settings, You.</Notice>;
  if (state === "unproven_address")
    return (
      <Notice kind="warning">
        E-mail is off: {address} is not verified. Request a new password on the sign-in page; its link verifies the
        address.
      </Notice>
    );
  if (failure !== null)
    return (
      <Notice kind="danger">
        The latest e-mail to {address} was not sent: {failure}
      </Notice>
    );
  return (
    <p className="text-muted">
      E-mail goes to {address}, at most one a minute. Links require sign-in. Opening a link neither allows nor denies a
      call.
    </p>
  );
}
