"use client";

import { contractOf, type EventName, eventNames, LANES, type Profile } from "@quarterdeck/hooks/contract/events";
import {
  SAMPLE_TOOL_CALL_NAMES,
  SAMPLE_TOOL_CALLS,
  type SampleToolCallName,
  sampleInput,
} from "@quarterdeck/hooks/contract/input-fields";
import { useQuery } from "@tanstack/react-query";
import { FlaskConical, Play, Save, Square, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { eventOption } from "@/components/layout/event-title";
import { InputForm } from "@/components/policies/playground/input-form";
import { InputReading } from "@/components/policies/playground/input-reading";
import { MatcherTester } from "@/components/policies/playground/matcher-tester";
import { RecordedPicker } from "@/components/policies/playground/recorded-picker";
import { type Against, againstWords, type PlaygroundState } from "@/components/policies/playground/use-playground";
import type { Side } from "@/components/policies/playground/use-runs";
import { useTriedText } from "@/components/policies/playground/use-tried-text";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { formatBytes } from "@/components/ui/format/bytes";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Kbd } from "@/components/ui/kbd";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { INPUT_BYTES_MAX } from "@/server/playground/schema";
import type { PolicyDetailView } from "@/server/policies/schema";

const RunReport = loadWhenOpened(() =>
  import("@/components/policies/playground/run-report").then((one) => one.RunReport),
);

export interface PlaygroundPaneProps {
  policy: PolicyDetailView;
  bench: PlaygroundState;
  profile: Profile;
  /** The number of judges among the text's hooks, for a note on the cost of asking them. */
  judges: number;
  onSaveCase: (side: Side) => void;
}

const HANDS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
  { value: "matcher", label: "Matcher" },
] as const;
type Hand = (typeof HANDS)[number]["value"];

/** The playground: the input on the left, the result on the right. */
export function PlaygroundPane({ policy, bench, profile, judges, onSaveCase }: PlaygroundPaneProps) {
  const { runs } = bench;
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Synchronises with the scroll position: the outcome scrolls into view after a run starts.
    if (runs.sides.length > 0) outcome.current?.scrollIntoView({ block: "start" });
  }, [runs.sides]);
  const [hand, setHand] = useState<Hand>("form");
  // In the capture phase, because Enter would otherwise open a list.
  const runByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    bench.run();
  };
  const refusal = refusalOf(bench);
  return (
    <section aria-label="Playground" onKeyDownCapture={runByKey} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Header bench={bench} isRefused={refusal !== null} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-3">
        <Setting policy={policy} bench={bench} profile={profile} />
        <RecordedNotice bench={bench} />
        <div className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <Segmented label="Input format" value={hand} onChange={setHand} options={HANDS} />
            {hand === "matcher" ? null : <Starts bench={bench} profile={profile} />}
          </div>
          {hand === "json" ? (
            <Field label="Input" {...(refusal === null ? {} : { error: refusal })}>
              <Textarea
                mono
                rows={12}
                spellCheck={false}
                value={bench.text}
                onChange={(event) => bench.setText(event.target.value)}
              />
            </Field>
          ) : hand === "form" ? (
            <InputForm event={bench.event} input={bench.input} onText={bench.setText} />
          ) : (
            <Matcher />
          )}
        </div>
        {hand === "matcher" ? null : <InputReading input={bench.input.value} />}
        <Choices bench={bench} judges={judges} />
        {refusal !== null && hand !== "json" ? <ErrorLine>{refusal}</ErrorLine> : null}
        <div
          ref={outcome}
          className={cn("grid min-w-0 scroll-mt-2 gap-4", runs.sides.length > 1 && "md:grid-cols-2")}
          aria-live="polite"
        >
          {runs.sides.map((side) => (
            <Outcome
              key={side.label}
              policy={policy}
              side={side}
              isOne={runs.sides.length === 1}
              onSaveCase={onSaveCase}
            />
          ))}
        </div>
        {runs.sides.length === 0 && !runs.isRunning ? (
          <EmptyState icon={FlaskConical} compact title="No run yet">
            Run the policy on this input. Hooks run in the server's sandbox and do not affect agents.
          </EmptyState>
        ) : null}
      </div>
    </section>
  );
}

/** The reason that the input cannot be run; null when it can. */
function refusalOf({ text, input: { problems } }: PlaygroundState): string | null {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > INPUT_BYTES_MAX)
    return `This input has ${formatBytes(bytes)}. Reduce it to ${formatBytes(INPUT_BYTES_MAX)}.`;
  return problems[0] ? `${problems[0].pointer.slice(1)} ${problems[0].message}`.trim() : null;
}

function Header({ bench, isRefused }: { bench: PlaygroundState; isRefused: boolean }) {
  const { runs } = bench;
  return (
    <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <FlaskConical aria-hidden className="size-4 text-faint" />
      <h2 className="text-md">Playground</h2>
      <div className="ml-auto flex items-center gap-1.5">
        {runs.isRunning ? (
          <Button onClick={runs.cancel}>
            <Square aria-hidden />
            Cancel
          </Button>
        ) : null}
        <Button onClick={bench.run} busy={runs.isRunning} disabled={isRefused}>
          {runs.isRunning ? null : <Play aria-hidden />}
          Run
          <Kbd keys="mod+enter" />
        </Button>
        <IconButton icon={X} label="Close the playground" size="sm" onClick={() => bench.setOpen(false)} />
      </div>
    </header>
  );
}

function Setting({ policy, bench, profile }: Pick<PlaygroundPaneProps, "policy" | "bench" | "profile">) {
  const trpc = useTRPC();
  const agents = useQuery(everyAgent(trpc));
  const names: readonly EventName[] = eventNames(profile);
  const revisions = Array.from({ length: Math.min(policy.latestRevision, 100) }, (_, at) => policy.latestRevision - at);
  const sides = [
    { value: "draft" as Against, label: againstWords("draft") },
    ...(policy.liveRevision > 0 ? [{ value: "live" as Against, label: `In force (${policy.liveRevision})` }] : []),
    ...revisions.map((number) => ({ value: `${number}` as Against, label: `Revision ${number}` })),
  ];
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-2">
      <Field label="Event">
        <Select
          value={bench.event}
          onChange={bench.setEvent}
          options={(names.includes(bench.event) ? names : [...names, bench.event]).map(eventOption)}
        />
      </Field>
      {contractOf(bench.event, profile).hasPreemptLane ? (
        <Field label="Lane">
          <Select
            value={bench.lane}
            onChange={bench.setLane}
            options={LANES.map((lane) => ({ value: lane, label: lane }))}
          />
        </Field>
      ) : null}
      <Field label="Run">
        <Select value={bench.against} onChange={bench.setAgainst} options={sides} />
      </Field>
      <Field label="Compare with">
        <Select
          value={bench.versus ?? "nothing"}
          onChange={(next) => bench.setVersus(next === "nothing" ? null : next)}
          options={[
            { value: "nothing" as const, label: "nothing" },
            ...sides.filter(({ value }) => value !== bench.against),
          ]}
        />
      </Field>
      <Field label="Together with">
        <Select
          value={bench.besideAgentId ?? "nothing"}
          onChange={(next) => bench.setBeside(next === "nothing" ? null : next)}
          options={[
            { value: "nothing", label: "no other policies" },
            ...(agents.data ?? []).map(({ id, name }) => ({ value: id, label: `all policies of ${name}` })),
          ]}
        />
      </Field>
    </div>
  );
}

function Starts({ bench, profile }: { bench: PlaygroundState; profile: Profile }) {
  const isAboutTools = contractOf(bench.event, profile).toolScoped;
  const sample = (preset?: SampleToolCallName) =>
    bench.setText(JSON.stringify(sampleInput(bench.event, preset), null, 2));
  return (
    <>
      <RecordedPicker event={bench.event} profile={profile} onTake={bench.takeRecorded} />
      {isAboutTools ? (
        <Select
          size="sm"
          aria-label="Sample"
          value={undefined}
          placeholder="Sample…"
          onChange={sample}
          options={SAMPLE_TOOL_CALL_NAMES.map((preset) => ({
            value: preset,
            label: SAMPLE_TOOL_CALLS[preset].tool_name,
          }))}
        />
      ) : (
        <Button onClick={() => sample()}>Sample</Button>
      )}
    </>
  );
}

function RecordedNotice({ bench }: { bench: PlaygroundState }) {
  const { recorded, recordedFailure } = bench;
  if (recordedFailure) return <ErrorLine>{failureSentence(recordedFailure)}</ErrorLine>;
  if (!recorded) return null;
  return (
    <Notice>
      Recorded input of {recorded.agentName}. Likely secrets are masked, so a hook that looks for secrets may answer
      differently.
    </Notice>
  );
}

function Matcher() {
  const [pattern, setPattern] = useState("");
  return (
    <div className="flex flex-col gap-3">
      <Field label="Matcher" help="Pattern for the full tool name. Empty: every tool.">
        <Input
          mono
          value={pattern}
          placeholder="shell|edit_file"
          onChange={(event) => setPattern(event.target.value)}
        />
      </Field>
      <MatcherTester pattern={pattern} />
    </div>
  );
}

function Choices({ bench, judges }: { bench: PlaygroundState; judges: number }) {
  return (
    <div className="flex flex-col gap-2">
      {judges > 0 ? (
        <Checkbox
          checked={bench.askJudges}
          onChange={bench.setAskJudges}
          label="Ask judges"
          help={`Sends up to ${judges} ${judges === 1 ? "question" : "questions"} to a real model for each run. The model's price and limits apply. If off, judges are not asked, and the verdict may be incomplete.`}
        />
      ) : null}
      <Checkbox
        checked={bench.runAgentHooks}
        onChange={bench.setRunAgentHooks}
        label="Also run agent-side hooks, in the server's sandbox"
        help="The agent's files are not in the sandbox."
      />
    </div>
  );
}

interface OutcomeProps {
  policy: PolicyDetailView;
  side: Side;
  isOne: boolean;
  onSaveCase: (side: Side) => void;
}

function Outcome({ policy, side, isOne, onSaveCase }: OutcomeProps) {
  const { label, report, failure, asked } = side;
  const source = useTriedText(policy.id, policy.liveRevision, asked.subject);
  return (
    <section aria-label={`Outcome: ${label}`} className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-7 items-center gap-2">
        <h3 className="text-md">{isOne ? "Outcome" : label}</h3>
        {isOne ? <span className="text-faint text-sm">{label}</span> : null}
        {report ? (
          <Button className="ml-auto" onClick={() => onSaveCase(side)}>
            <Save aria-hidden />
            Save as test…
          </Button>
        ) : null}
      </header>
      {failure ? (
        <div className="flex flex-col gap-1">
          <ErrorLine>{failure.sentence}</ErrorLine>
          {failure.problems.length > 1 ? (
            <ul className="list-disc pl-5 text-sm">
              {failure.problems.map(({ path, message }) => (
                <li key={`${path} ${message}`}>
                  {path === "" ? null : <code>{path}</code>} {message}
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : report ? (
        <RunReport report={report} input={asked.input} source={source} />
      ) : null}
    </section>
  );
}
