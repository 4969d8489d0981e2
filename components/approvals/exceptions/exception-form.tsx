"use client";

import { useMutation } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { z } from "zod";
import { ExceptionEffect } from "@/components/approvals/exceptions/exception-effect";
import { ExceptionFacts } from "@/components/approvals/exceptions/exception-facts";
import { exceptionYaml, LIFETIMES, SCOPE_LABELS } from "@/components/approvals/exceptions/labels";
import { TopicLink } from "@/components/layout/help/topic-link";
import { useTRPC } from "@/components/trpc/client";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import {
  EXCEPTION_SCOPES,
  type ExceptionExample,
  type ExceptionOffer,
  type ExceptionReach,
  exceptionScope,
  makeException,
  REASON_CHARS_MAX,
} from "@/server/exceptions/schema";

const EXACT = "exact";
const exceptionForm = z.object({
  scope: exceptionScope,
  groupId: z.string(),
  calls: z.string(),
  hours: z.string().transform(Number),
  reason: needed("Enter a one-line reason for reviewers.").pipe(makeException.shape.reason),
});
type ExceptionFormValues = z.input<typeof exceptionForm>;

export interface ExceptionFormProps {
  example: ExceptionExample;
  offer: ExceptionOffer;
  action: string;
  onClose: () => void;
  onMade?: (() => Promise<unknown>) | undefined;
}

/** The calls, the reach, the end and the reason of a new exception, and its effect. */
export function ExceptionForm({ example, offer, action, onClose, onMade }: ExceptionFormProps) {
  const trpc = useTRPC();
  const make = useMutation(trpc.exceptions.make.mutationOptions());
  const form = useForm(exceptionForm, {
    scope: offer.sessionId === "" ? "agent" : "session",
    ...{ groupId: offer.groups[0]?.id ?? "", calls: EXACT, hours: "24", reason: "" },
  });
  const scopes = EXCEPTION_SCOPES.filter(
    (scope) => (scope !== "group" || offer.groups.length > 0) && (scope !== "session" || offer.sessionId !== ""),
  );
  const act = async ({ hours, reason, ...reach }: z.output<typeof exceptionForm>) => {
    await make.mutateAsync({ ...reachOf(example, reach), hours, reason });
    onClose();
    toast.success("The exception is in force", { description: "You can end the exception on the Approvals page." });
    await onMade?.();
  };
  return (
    <Form form={form} onSubmit={act} onCancel={onClose} action={action} pinsButtons>
      <FormField form={form} name="calls" label="Calls" aside={<TopicLink topic="exceptions" />}>
        {(field) => <Select {...field} options={callOptions(offer)} />}
      </FormField>
      <div className="grid gap-3 sm:grid-cols-2">
        <FormField form={form} name="scope" label="Applies to">
          {(field) => <Select {...field} options={scopes.map((value) => ({ value, label: SCOPE_LABELS[value] }))} />}
        </FormField>
        <FormField form={form} name="hours" label="Lasts for">
          {(field) => (
            <Select {...field} options={LIFETIMES.map(({ hours, label }) => ({ value: String(hours), label }))} />
          )}
        </FormField>
      </div>
      <GroupField form={form} offer={offer} />
      <FormField form={form} name="reason" label="Why">
        {(field) => <Input {...field} maxLength={REASON_CHARS_MAX} autoComplete="off" />}
      </FormField>
      <Preview form={form} example={example} offer={offer} />
    </Form>
  );
}

type FormState = UseFormReturn<ExceptionFormValues, unknown, z.output<typeof exceptionForm>>;

function GroupField({ form, offer }: { form: FormState; offer: ExceptionOffer }) {
  const scope = useWatch({ control: form.control, name: "scope" });
  if (scope !== "group") return null;
  return (
    <FormField form={form} name="groupId" label="Group">
      {(field) => <Select {...field} options={offer.groups.map(({ id, name }) => ({ value: id, label: name }))} />}
    </FormField>
  );
}

/** The exception as facts and as YAML, and its effect had it been in force for the last week. */
function Preview({ form, example, offer }: { form: FormState } & Pick<ExceptionFormProps, "example" | "offer">) {
  const { scope, groupId, calls, hours } = useWatch({ control: form.control }) as ExceptionFormValues; // every field has a value
  const reach = reachOf(example, { scope, groupId, calls });
  const group = offer.groups.find(({ id }) => id === groupId)?.name ?? "";
  const about = { workspace: "", group, agent: offer.agentName, session: offer.sessionId }[scope];
  const command = reach.commandWords === undefined ? null : (offer.command?.slice(0, reach.commandWords) ?? null);
  const { lifts, toolName, rules, input } = offer;
  const drawn = { scope, about, command, toolName, lifts };
  const subject = { ...drawn, agentName: offer.agentName };
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-md border border-line bg-sunken p-3">
      <ExceptionFacts subject={subject} offer={offer} hours={Number(hours)} />
      <ExceptionEffect reach={reach} subject={subject} />
      <CodeBlock
        code={exceptionYaml({ ...drawn, rules, hours: Number(hours), input })}
        language="yaml"
        label="As YAML"
        numbers={false}
        wrap
      />
    </div>
  );
}

function reachOf(
  example: ExceptionExample,
  { scope, groupId, calls }: Pick<ExceptionFormValues, "scope" | "groupId" | "calls">,
): ExceptionReach {
  return {
    ...example,
    scope,
    ...(scope === "group" ? { groupId } : {}),
    ...(calls === EXACT ? {} : { commandWords: Number(calls) }),
  };
}

/** Exactly this input first; then its command by ever fewer words, down to the minimum. */
function callOptions({ command, commandWordsMin }: Pick<ExceptionOffer, "command" | "commandWordsMin">) {
  const options = [{ value: EXACT, label: "exactly this input" }];
  const wordsMin = commandWordsMin ?? Number.POSITIVE_INFINITY;
  for (let words = command?.length ?? 0; words >= wordsMin; words -= 1)
    options.push({ value: String(words), label: `commands that begin with ${command?.slice(0, words).join(" ")}` });
  return options;
}
