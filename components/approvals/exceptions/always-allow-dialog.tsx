"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { z } from "zod";
import type { EqualRequests } from "@/components/approvals/equal-requests";
import { exceptionTitle, exceptionYaml, LIFETIMES, SCOPE_LABELS } from "@/components/approvals/exceptions/labels";
import { numberOf } from "@/components/approvals/labels";
import { useAnswer } from "@/components/approvals/use-answer";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { needed } from "@/components/ui/form-texts";
import { plural } from "@/components/ui/format/count";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { ApprovalView } from "@/server/approvals/schema";
import {
  COMMAND_WORDS_MIN,
  EXCEPTION_SCOPES,
  type ExceptionOffer,
  type ExceptionReach,
  exceptionScope,
  makeException,
  REASON_CHARS_MAX,
} from "@/server/exceptions/schema";

export interface AlwaysAllowDialogProps {
  group: EqualRequests;
  /** The requests still wait for an answer: an exception answers them too. */
  isOpen: boolean;
  onClose: () => void;
}

/** Makes an exception from a request, the narrowest one unless somebody widens it, and allows the request. */
export function AlwaysAllowDialog({ group: { first, all }, isOpen, onClose }: AlwaysAllowDialogProps) {
  const trpc = useTRPC();
  const offer = useQuery(trpc.exceptions.offer.queryOptions({ requestId: first.id }));
  const answer = useAnswer(all);
  const allow = () =>
    answer.mutateAsync({ verdict: "allow", words: "" }).catch((error: unknown) => toast.error(failureSentence(error)));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Always allow"
      description="The rules that asked stop asking about these calls until the exception ends. Calls that a rule denies stay denied."
    >
      {isOpen ? null : (
        <Notice kind="warning">
          {numberOf(first)} is closed already. An exception is for the calls that come after it.
        </Notice>
      )}
      {offer.error ? (
        <ErrorLine>{failureSentence(offer.error)}</ErrorLine>
      ) : !offer.data ? (
        <Skeleton className="h-40" />
      ) : offer.data.refusal === null ? (
        <ExceptionForm request={first} offer={offer.data} onClose={onClose} onMade={isOpen ? allow : undefined} />
      ) : (
        <Notice kind="warning">{offer.data.refusal}</Notice>
      )}
    </Dialog>
  );
}

const EXACT = "exact";
const exceptionForm = z.object({
  scope: exceptionScope,
  groupId: z.string(),
  calls: z.string(),
  hours: z.string().transform(Number),
  reason: needed("Say why in one line: reviewers read it.").pipe(makeException.shape.reason),
});
type ExceptionFormValues = z.input<typeof exceptionForm>;

interface ExceptionFormProps {
  request: ApprovalView;
  offer: ExceptionOffer;
  onClose: () => void;
  onMade: (() => Promise<unknown>) | undefined;
}

function ExceptionForm({ request, offer, onClose, onMade }: ExceptionFormProps) {
  const trpc = useTRPC();
  const make = useMutation(trpc.exceptions.make.mutationOptions());
  const form = useForm(exceptionForm, {
    scope: request.sessionId === "" ? "agent" : "session",
    ...{ groupId: offer.groups[0]?.id ?? "", calls: EXACT, hours: "24", reason: "" },
  });
  const scopes = EXCEPTION_SCOPES.filter(
    (scope) => (scope !== "group" || offer.groups.length > 0) && (scope !== "session" || request.sessionId !== ""),
  );
  const act = async ({ hours, reason, ...reach }: z.output<typeof exceptionForm>) => {
    await make.mutateAsync({ ...reachOf(request, reach), hours, reason });
    onClose();
    toast.success("The exception is in force", { description: "You can end it on this page." });
    await onMade?.();
  };
  return (
    <Form form={form} onSubmit={act} onCancel={onClose} action="Always allow">
      <FormField form={form} name="calls" label="Calls">
        {(field) => <Select {...field} options={callOptions(offer.command)} />}
      </FormField>
      <div className="grid gap-3 sm:grid-cols-2">
        <FormField form={form} name="scope" label="Of">
          {(field) => <Select {...field} options={scopes.map((value) => ({ value, label: SCOPE_LABELS[value] }))} />}
        </FormField>
        <FormField form={form} name="hours" label="For">
          {(field) => (
            <Select {...field} options={LIFETIMES.map(({ hours, label }) => ({ value: String(hours), label }))} />
          )}
        </FormField>
      </div>
      <GroupField form={form} offer={offer} />
      <FormField form={form} name="reason" label="Why">
        {(field) => <Input {...field} maxLength={REASON_CHARS_MAX} autoComplete="off" />}
      </FormField>
      <Preview form={form} request={request} offer={offer} />
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

/** The exception in a sentence and as YAML, and the requests of the last week that it would have spared. */
function Preview({ form, request, offer }: { form: FormState; request: ApprovalView; offer: ExceptionOffer }) {
  const trpc = useTRPC();
  const { scope, groupId, calls, hours } = useWatch({ control: form.control }) as ExceptionFormValues; // every field has a value
  const reach = reachOf(request, { scope, groupId, calls });
  const effect = useQuery(trpc.exceptions.effect.queryOptions(reach));
  const group = offer.groups.find(({ id }) => id === groupId)?.name ?? "";
  const about = { workspace: "", group, agent: request.agentName, session: request.sessionId }[scope];
  const command = reach.commandWords === undefined ? null : (offer.command?.slice(0, reach.commandWords) ?? null);
  const drawn = { scope, about, command, toolName: request.toolName };
  const { askedBy, input } = request;
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-md border border-line bg-sunken p-3">
      <p className="break-words font-medium">{exceptionTitle(drawn)}</p>
      <output className="text-muted text-sm">
        {effect.error ? failureSentence(effect.error) : effect.data ? effectWords(effect.data) : "Counting…"}
      </output>
      <CodeBlock
        code={exceptionYaml({ ...drawn, rules: askedBy, hours: Number(hours), input })}
        language="yaml"
        label="As YAML"
        numbers={false}
        wrap
      />
    </div>
  );
}

function effectWords(effect: { matched: number; allowed: number; denied: number; lapsed: number; isWhole: boolean }) {
  const { matched, allowed, denied, lapsed, isWhole } = effect;
  const open = matched - allowed - denied - lapsed;
  const over = isWhole ? "In the last 7 days" : "Of the newest 2,000 requests";
  return `${over} it would have spared ${plural(matched, "request")}: ${allowed} allowed, ${denied} denied, ${lapsed} lapsed, ${open} open.`;
}

function reachOf(
  request: ApprovalView,
  { scope, groupId, calls }: Pick<ExceptionFormValues, "scope" | "groupId" | "calls">,
): ExceptionReach {
  return {
    requestId: request.id,
    scope,
    ...(scope === "group" ? { groupId } : {}),
    ...(calls === EXACT ? {} : { commandWords: Number(calls) }),
  };
}

/** Exactly this input first; then by ever fewer words of its command. */
function callOptions(command: readonly string[] | null) {
  const options = [{ value: EXACT, label: "exactly this input" }];
  for (let words = command?.length ?? 0; words >= COMMAND_WORDS_MIN; words -= 1)
    options.push({ value: String(words), label: `commands that begin with ${command?.slice(0, words).join(" ")}` });
  return options;
}
