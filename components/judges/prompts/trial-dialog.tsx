"use client";

import { EVENTS, type EventName } from "@quarterdeck/hooks/contract/events";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { draftText } from "@/components/judges/prompts/draft-text";
import { whatWas } from "@/components/judges/prompts/label-text";
import { canCompare, type ReadTrial, readTrial, type TrialDraft } from "@/components/judges/prompts/trial-form";
import { eventOption } from "@/components/layout/event-title";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormCheckbox, FormField, useForm } from "@/components/ui/form";
import { readBy } from "@/components/ui/form-texts";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { JudgedText, PromptDetailView, TrialView } from "@/server/prompts/schema";

interface TrialDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  prompt: PromptDetailView;
  text: JudgedText;
  trials: readonly TrialView[];
  onStarted: (started: StartedTrial) => void;
}

export interface StartedTrial {
  readonly trialId: string;
  /** The trial of the latest revision on the same calls; null for none. */
  readonly beforeId: string | null;
}

/** The settings of a trial: the text, the calls it is tried on, how often, and what that may cost. */
export function TrialDialog(props: TrialDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="md"
      title={`Try ${props.prompt.name}`}
      description="Each question to the model is billed as usual. The trial stops when its budget is used up."
    >
      {props.open ? <TrialForm {...props} /> : null}
    </Dialog>
  );
}

const EVENT_NAMES = Object.keys(EVENTS) as EventName[]; // holds: its own keys
const ONLY = [
  { value: "all", label: "The newest calls" },
  { value: "judged", label: "Calls judged by this prompt" },
  { value: "labelled", label: "Calls with a label" },
  { value: "labelled_first", label: "Labelled calls first, then other judged calls" },
] as const;

const FRESH: TrialDraft = {
  what: "draft",
  event: "pre_tool_use",
  tool: "",
  agent: "",
  on: "all",
  calls: "20",
  repeats: "1",
  timeout: "30",
  dollars: "0.50",
  callsMax: "",
  compares: true,
};

/** A text equal to a revision is tried as that revision, so that the trial shows its number. */
function openingDraft({ published, latestRevision, usedBy }: PromptDetailView, text: JudgedText): TrialDraft {
  const isRevision = published !== null && draftText(text) === draftText(published);
  return {
    ...FRESH,
    what: isRevision ? String(latestRevision) : "draft",
    on: usedBy.length > 0 ? "labelled_first" : "all",
  };
}

function TrialForm({ onOpenChange, prompt, text, trials, onStarted }: TrialDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const connections = useQuery(trpc.judges.connections.queryOptions());
  const seen = useQuery(trpc.policies.checkContext.queryOptions());
  const [event] = useQueryState("event", parseAsStringLiteral(EVENT_NAMES).withDefault("pre_tool_use"));
  const { latestRevision } = prompt;
  const hasPrice = (what: string) =>
    (connections.data ?? []).some(({ name, prices }) =>
      prices.some(({ model }) => what !== "draft" || `${name}/${model}` === text.model.trim()),
    );
  const form = useForm(
    readBy((draft: TrialDraft) =>
      readTrial(draft, { promptId: prompt.id, text, isPriced: hasPrice(draft.what), latestRevision }),
    ),
    { ...openingDraft(prompt, text), event },
  );
  const [what, on] = useWatch({ control: form.control, name: ["what", "on"] });
  const isPriced = hasPrice(what);
  const start = useMutation(trpc.prompts.startTrial.mutationOptions());
  const submit = async ({ trial, before }: ReadTrial) => {
    const what = { kind: "revision", number: before ?? 0 } as const;
    const beforeId = before === null ? null : (await start.mutateAsync({ ...trial, what })).trialId;
    const on = beforeId === null ? trial.on : ({ kind: "same", trialId: beforeId } as const);
    const { trialId } = await start.mutateAsync({ ...trial, on });
    await queries.invalidateQueries({ queryKey: trpc.prompts.trials.queryKey() });
    onOpenChange(false);
    onStarted({ trialId, beforeId });
  };
  const compares = canCompare({ what, on }, latestRevision);
  const revisions = Array.from({ length: latestRevision }, (_, at) => String(latestRevision - at));
  return (
    <Form form={form} onSubmit={submit} action="Start the trial" onCancel={() => onOpenChange(false)} pinsButtons>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <FormField form={form} name="what" label="Text">
          {(field) => (
            <Select
              {...field}
              options={[
                { value: "draft", label: "Current draft" },
                ...revisions.map((number) => ({ value: number, label: `Revision ${number}` })),
              ]}
            />
          )}
        </FormField>
        <FormField form={form} name="on" label="Calls from">
          {(field) => (
            <Select
              {...field}
              options={[
                ...ONLY,
                ...trials.slice(0, 20).map((trial) => ({
                  value: `same ${trial.id}`,
                  label: `Same calls as the trial of ${whatWas(trial)}`,
                  aside: `${trial.calls} calls`,
                })),
              ]}
            />
          )}
        </FormField>
        {on.startsWith("same ") ? null : (
          <FilterFields form={form} tools={(seen.data?.tools ?? []).map(({ name }) => name)} />
        )}
        <FormField
          form={form}
          name="repeats"
          label="Repeats"
          help="With 2 or more repeats, the trial also measures consistency."
        >
          {(field) => <Input {...field} inputMode="numeric" />}
        </FormField>
        <FormField
          form={form}
          name="timeout"
          label="Timeout (s)"
          help="Time limit for each answer, at most 120 seconds."
        >
          {(field) => <Input {...field} inputMode="numeric" />}
        </FormField>
        <FormField
          form={form}
          name="dollars"
          label="Budget ($)"
          help={isPriced ? "Maximum spend." : "This model has no price, so you can limit the calls but not the spend."}
        >
          {(field) => <Input {...field} inputMode="decimal" disabled={!isPriced} value={isPriced ? field.value : ""} />}
        </FormField>
        <FormField
          form={form}
          name="callsMax"
          label="Max calls"
          help="If empty, the limit is recorded calls × repeats."
        >
          {(field) => <Input {...field} inputMode="numeric" />}
        </FormField>
      </div>
      {compares ? (
        <FormCheckbox
          form={form}
          name="compares"
          label={`Also try revision ${latestRevision} on the same calls, and compare`}
          help={`Revision ${latestRevision} gets a separate trial. Each trial has its own budget of this size.`}
        />
      ) : null}
    </Form>
  );
}

interface FilterFieldsProps {
  form: UseFormReturn<TrialDraft, unknown, ReadTrial>;
  tools: readonly string[];
}

function FilterFields({ form, tools }: FilterFieldsProps) {
  return (
    <>
      <FormField form={form} name="event" label="Event">
        {(field) => <Select {...field} options={EVENT_NAMES.map(eventOption)} />}
      </FormField>
      <FormField form={form} name="tool" label="Tool" aside="optional">
        {(field) => <Input {...field} mono list="trial-tools" maxLength={256} />}
      </FormField>
      <datalist id="trial-tools">
        {tools.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <FormField form={form} name="agent" label="Agent" aside="optional">
        {(field) => <Input {...field} maxLength={256} />}
      </FormField>
      <FormField form={form} name="calls" label="Calls" help="At most 200.">
        {(field) => <Input {...field} inputMode="numeric" />}
      </FormField>
    </>
  );
}
