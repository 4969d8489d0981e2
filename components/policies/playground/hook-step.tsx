"use client";

import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type ReactNode, useState } from "react";
import { HookPlace } from "@/components/layout/hook-place";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code/code-block";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatDuration } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";
import { Segmented } from "@/components/ui/segmented";
import { type Tone, toneLook } from "@/components/ui/tone";
import { hookWords } from "@/server/decisions/schema";
import type { CutText, PlaygroundHook, StepView } from "@/server/playground/schema";

export interface HookStepProps {
  hook: PlaygroundHook;
  place: number;
  /** When the last hook ended. */
  endMs: number;
  texts: readonly CutText[];
  /** The payload as it was before this hook. */
  before: string;
  /** The rules of a hook of type `rules`, on this call. */
  rules: ReactNode;
}

const NOT_RUN = {
  not_matched: "Not selected",
  duplicate: "Already selected",
  other_lane: "Other lane",
  on_agent: "Runs on the agent's machine",
  overloaded: "Skipped",
  ran: "",
} as const;

/** One hook of a run: its start and its verdict, or the reason why it did not run. */
export function HookStep({ hook, place, endMs, texts, before, rules }: HookStepProps) {
  const { ran } = hook;
  const words = ran
    ? ran.isUnasked
      ? { tone: "unknown" as const, label: "Not asked" }
      : hookWords(ran)
    : { tone: "canceled" as const, label: NOT_RUN[hook.choice] };
  return (
    <li className={cn("flex flex-col gap-1.5 border-line px-3 py-2.5 not-first:border-t", !ran && "bg-sunken")}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="text-faint">{place}</span>
        <span className="min-w-0 truncate font-medium">{hook.name}</span>
        <Mark {...words} look={ran ? "tag" : "plain"} />
        {ran?.blocked && !ran.isUnasked ? <Badge look="accent">decided</Badge> : null}
        {hook.isSubject ? null : <Badge>{hook.policy}</Badge>}
        {ran ? <span className="ml-auto text-muted text-sm">{formatDuration(ran.durationMs)}</span> : null}
      </div>
      {ran ? <Bar ran={ran} endMs={endMs} tone={words.tone} /> : null}
      <p className="text-muted text-sm">
        {hook.type}
        {hook.runsOn === "agent" && ran ? " · run in the server's sandbox, not on the agent's machine" : ""}
        {ran?.exitCode === null || ran === null ? "" : ` · exit code ${ran.exitCode}`} · <HookPlace path={hook.path} />
      </p>
      {hook.why === "" ? null : <p className="text-sm">{hook.why}</p>}
      {ran?.error && !ran.isUnasked ? <p className="text-error text-sm">{ran.error}</p> : null}
      {rules}
      {ran && hook.type !== "rules" ? <Streams ran={ran} texts={texts} /> : null}
      {ran?.step ? (
        <After
          step={ran.step}
          before={before}
          texts={texts}
          rewrote={ran.said === "rewrite" || hasRewritten(ran.step, before, texts)}
        />
      ) : null}
    </li>
  );
}

type Ran = NonNullable<PlaygroundHook["ran"]>;

const hasRewritten = (step: StepView, before: string, texts: readonly CutText[]): boolean =>
  step.rewritten !== null && (texts[step.rewritten]?.text ?? "") !== before;

function Bar({ ran, endMs, tone }: { ran: Ran; endMs: number; tone: Tone }) {
  const width = Math.max((ran.durationMs / endMs) * 100, 0.5);
  return (
    <div aria-hidden className="relative h-1 rounded-full bg-pressed">
      <span
        className={cn("absolute inset-y-0 min-w-0.5 rounded-full", toneLook[tone].solid)}
        style={{ left: `${(ran.startedMs / endMs) * 100}%`, width: `${width}%` }}
      />
    </div>
  );
}

const STREAMS = ["stdin", "stdout", "stderr"] as const;
type Stream = (typeof STREAMS)[number] | "question" | "none";

function Streams({ ran, texts }: { ran: Ran; texts: readonly CutText[] }) {
  const of = (stream: (typeof STREAMS)[number]) => {
    const at = ran[stream];
    return at === null ? undefined : texts[at];
  };
  const first: Stream = of("stderr")?.text ? "stderr" : of("stdout")?.text ? "stdout" : ran.judge ? "question" : "none";
  const [open, setOpen] = useState<Stream>(first);
  const shown = open === "none" || open === "question" ? undefined : of(open);
  return (
    <div className="flex flex-col gap-1.5">
      <Segmented
        label="Input and output"
        className="self-start"
        value={open}
        onChange={setOpen}
        options={[
          ...STREAMS.map((stream) => ({
            value: stream,
            label: of(stream)?.text ? `${stream} •` : stream,
            name: of(stream)?.text ? stream : `${stream}, empty`,
          })),
          ...(ran.judge ? [{ value: "question" as const, label: "question" }] : []),
          { value: "none" as const, label: "hide" },
        ]}
      />
      {open === "question" && ran.judge ? (
        <>
          <CodeBlock label="Question" code={ran.judge.prompt ?? ""} numbers={false} wrap maxHeight={200} />
          <p className="text-muted text-sm">
            {ran.judge.model}: {ran.judge.reply === null ? "no reply" : null}
          </p>
          {ran.judge.reply === null ? null : (
            <CodeBlock label="Reply" code={ran.judge.reply} numbers={false} wrap maxHeight={200} />
          )}
        </>
      ) : shown ? (
        shown.text === "" ? (
          <p className="text-faint text-sm">Empty.</p>
        ) : (
          <>
            <CodeBlock
              label={open}
              code={open === "stdin" ? indented(shown.text) : shown.text}
              language={open === "stdin" ? "json" : "text"}
              numbers={false}
              wrap
              maxHeight={240}
            />
            {shown.isCut ? <p className="text-faint text-sm">First part of {formatBytes(shown.bytes)} shown.</p> : null}
          </>
        )
      ) : open === "none" ? null : (
        <p className="text-faint text-sm">Not started.</p>
      )}
    </div>
  );
}

/** The merged result up to and including this hook. */
function After({
  step,
  before,
  texts,
  rewrote,
}: {
  step: StepView;
  before: string;
  texts: readonly CutText[];
  rewrote: boolean;
}) {
  const rewritten = step.rewritten === null ? undefined : texts[step.rewritten]?.text;
  return (
    <div className="flex flex-col gap-1 border-line border-l-2 pl-2 text-sm">
      <p>
        <span className="text-muted">After it: </span>
        {stepWords(step).join(" · ")}
      </p>
      {rewrote && rewritten !== undefined ? (
        <DiffBlock label="payload" before={before} after={rewritten} maxHeight={200} />
      ) : null}
    </div>
  );
}

function stepWords(step: StepView): string[] {
  const stands = step.allowed
    ? step.decision === ""
      ? "no objection"
      : `decision ${step.decision}`
    : step.decision === "deny"
      ? "denied"
      : "not allowed";
  return [
    stands,
    ...(step.approved ? ["approved for the person"] : []),
    ...(step.context === "" ? [] : [`context: ${short(step.context)}`]),
    ...(step.message === "" ? [] : [`message: ${short(step.message)}`]),
    ...(step.systemMessage === "" ? [] : [`to the user: ${short(step.systemMessage)}`]),
    ...(step.summary === "" ? [] : ["a summary"]),
    ...(step.route === null ? [] : [`routed to ${short(step.route)}`]),
    ...(step.instructions.length === 0 ? [] : [`instructions: ${short(step.instructions.join(", "))}`]),
    ...(step.metadata ? [`metadata: ${Object.keys(step.metadata).join(", ")}`] : []),
  ];
}

const short = (text: string): string => truncateText(text, 140);

function indented(json: string): string {
  try {
    return printExactJson(parseExactJson(json), 2);
  } catch {
    return json;
  }
}
