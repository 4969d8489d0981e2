"use client";

import { EVENTS, type EventName } from "@quarterdeck/hooks/contract/events";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { whatWas } from "@/components/judges/prompts/label-text";
import { readTrial, type TrialDraft } from "@/components/judges/prompts/trial-form";
import { eventOption } from "@/components/layout/event-title";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { JudgedText, PromptDetailView, TrialView } from "@/server/prompts/schema";

interface TrialDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  prompt: PromptDetailView;
  text: JudgedText;
  trials: readonly TrialView[];
  onStarted: (trialId: string) => void;
}

/** The settings of a trial: the text, the calls it is tried on, how often, and what that may cost. */
export function TrialDialog(props: TrialDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="md"
      title={`Try ${props.prompt.name}`}
      description="Each question is billed like any call. The trial stops when its budget leaves no room for another."
    >
      {props.open ? <Form {...props} /> : null}
    </Dialog>
  );
}

const EVENT_NAMES = Object.keys(EVENTS) as EventName[]; // holds: its own keys
const ONLY = [
  { value: "all", label: "The newest calls" },
  { value: "judged", label: "Calls this judge was asked about" },
  { value: "labelled", label: "Calls with a label" },
] as const;

function Form({ onOpenChange, prompt, text, trials, onStarted }: TrialDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const connections = useQuery(trpc.judges.connections.queryOptions());
  const surroundings = useQuery(trpc.policies.surroundings.queryOptions());
  const [draft, setDraft] = useState<TrialDraft>({
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
  });
  const [wrongs, setWrongs] = useState<Readonly<Record<string, string>>>({});
  const start = useMutation(trpc.prompts.startTrial.mutationOptions());
  const set = (change: Partial<TrialDraft>) => setDraft((before) => ({ ...before, ...change }));
  const isPriced = (connections.data ?? []).some(({ name, prices }) =>
    prices.some(({ model }) => draft.what !== "draft" || `${name}/${model}` === text.model.trim()),
  );
  const isSame = draft.on.startsWith("same ");
  const submit = () => {
    const read = readTrial(draft, { promptId: prompt.id, text, isPriced });
    setWrongs("wrongs" in read ? read.wrongs : {});
    if ("wrongs" in read) return;
    start.mutate(read.input, {
      onSuccess: async ({ trialId }) => {
        await queries.invalidateQueries({ queryKey: trpc.prompts.trials.queryKey() });
        onOpenChange(false);
        onStarted(trialId);
      },
    });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label="Text">
          <Select
            value={draft.what}
            onChange={(what) => set({ what })}
            options={[
              { value: "draft", label: "The text as it is now" },
              ...Array.from({ length: prompt.latestRevision }, (_, at) => String(prompt.latestRevision - at)).map(
                (number) => ({ value: number, label: `Revision ${number}` }),
              ),
            ]}
          />
        </Field>
        <Field label="Calls from">
          <Select
            value={draft.on}
            onChange={(on) => set({ on })}
            options={[
              ...ONLY,
              ...trials.slice(0, 20).map((trial) => ({
                value: `same ${trial.id}`,
                label: `As in the trial of ${whatWas(trial)}`,
                aside: `${trial.calls} calls`,
              })),
            ]}
          />
        </Field>
        {isSame ? null : (
          <>
            <Field label="Event">
              <Select value={draft.event} onChange={(event) => set({ event })} options={EVENT_NAMES.map(eventOption)} />
            </Field>
            <Field label="Tool" aside="optional" error={wrongs.tool}>
              <Input
                mono
                list="trial-tools"
                value={draft.tool}
                maxLength={256}
                onChange={(e) => set({ tool: e.target.value })}
              />
            </Field>
            <datalist id="trial-tools">
              {(surroundings.data?.tools ?? []).map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <Field label="Agent" aside="optional">
              <Input value={draft.agent} maxLength={256} onChange={(e) => set({ agent: e.target.value })} />
            </Field>
            <Field label="Calls" error={wrongs.calls} help="At most 200.">
              <Input inputMode="numeric" value={draft.calls} onChange={(e) => set({ calls: e.target.value })} />
            </Field>
          </>
        )}
        <Field label="Repeats" error={wrongs.repeats} help="More than one measures consistency.">
          <Input inputMode="numeric" value={draft.repeats} onChange={(e) => set({ repeats: e.target.value })} />
        </Field>
        <Field label="Timeout (s)" error={wrongs.timeout} help="For one answer; at most 120.">
          <Input inputMode="numeric" value={draft.timeout} onChange={(e) => set({ timeout: e.target.value })} />
        </Field>
        <Field
          label="Budget ($)"
          error={wrongs.dollars}
          help={isPriced ? "Never more than this." : "This model has no price: only calls can be capped."}
        >
          <Input
            inputMode="decimal"
            disabled={!isPriced}
            value={isPriced ? draft.dollars : ""}
            onChange={(e) => set({ dollars: e.target.value })}
          />
        </Field>
        <Field label="Max calls" error={wrongs.callsMax} help="Empty: calls × repeats.">
          <Input inputMode="numeric" value={draft.callsMax} onChange={(e) => set({ callsMax: e.target.value })} />
        </Field>
      </div>
      {start.error ? <ErrorLine>{failureSentence(start.error)}</ErrorLine> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button type="submit" variant="primary" busy={start.isPending}>
          Start the trial
        </Button>
      </div>
    </form>
  );
}
