"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { UNKNOWN_TEXTS, verdictText } from "@/components/backtest/backtest-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Money } from "@/components/ui/format/money";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Spinner } from "@/components/ui/spinner";
import type { Tone } from "@/components/ui/tone";
import type { BacktestRunView } from "@/server/backtest/run-schema";
import type {
  SampleCounts,
  SampledCallView,
  SampledResult,
  SampleView,
} from "@/server/backtest/sampling/sample-schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const RESULTS: readonly { readonly result: SampledResult; readonly label: string; readonly tone: Tone }[] = [
  { result: "looser", label: "less strict", tone: "allow" },
  { result: "stricter", label: "stricter", tone: "deny" },
  { result: "otherwise", label: "other answer", tone: "observe" },
  { result: "unchanged", label: "unchanged", tone: "canceled" },
  { result: "unknown", label: "unknown", tone: "unknown" },
];
const KIND_TEXTS = { command: "Commands", judge: "Judges" } as const;

/** The calls on which commands ran and judges were asked. */
export function SampleSection({ run, sample }: { run: BacktestRunView; sample: SampleView }) {
  const done = sample.kinds.reduce((sum, kind) => sum + kind.done, 0);
  return (
    <Section title="Sample" aside={plural(done, "call")}>
      <ul className="flex flex-col gap-1">
        {sample.kinds.map((counts) => (counts.of > 0 ? <Kind key={counts.kind} counts={counts} /> : null))}
      </ul>
      {sample.answers ? <Answers answers={sample.answers} /> : null}
      {done > 0 ? <Calls run={run} key={done} /> : null}
    </Section>
  );
}

function Kind({ counts: { kind, of, done, results } }: { counts: SampleCounts }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        {KIND_TEXTS[kind]}: {formatCount(done)} of {plural(of, "call")} run
      </span>
      {RESULTS.map(({ result, label, tone }) =>
        results[result] ? <Mark key={result} tone={tone} label={`${formatCount(results[result])} ${label}`} /> : null,
      )}
    </li>
  );
}

function Answers({ answers }: { answers: NonNullable<SampleView["answers"]> }) {
  const { asked, reused, nano, nanoMax, unpriced } = answers;
  return (
    <>
      <p>
        Answers of judges: {formatCount(reused)} from the cache, {formatCount(asked)} asked, <Money nano={nano} /> of{" "}
        <Money nano={nanoMax} />
        {unpriced > 0 ? `, ${formatCount(unpriced)} unpriced` : null}
      </p>
      <p className="text-muted text-sm">
        Each judge gave one answer, and its next answer may differ. A call that ended the same is not counted as
        unchanged.
      </p>
    </>
  );
}

const SHOWN = 50;

/** The result of each call; loaded when opened. */
function Calls({ run }: { run: BacktestRunView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="rounded-md border">
      <summary className="cursor-pointer px-3 py-1.5">Result of each call</summary>
      {isOpen ? <CallList run={run} /> : null}
    </details>
  );
}

function CallList({ run: { policyId, id } }: { run: BacktestRunView }) {
  const trpc = useTRPC();
  const calls = useQuery(trpc.backtest.sampled.queryOptions({ policyId, runId: id, limit: SHOWN }));
  if (calls.error) return <ErrorLine>{failureSentence(calls.error)}</ErrorLine>;
  if (!calls.data) return <Spinner className="m-3" />;
  return (
    <ul className="divide-y divide-line border-line border-t">
      {calls.data.map((call) => (
        <Call key={`${call.kind} ${call.id}`} call={call} />
      ))}
      {calls.data.length === SHOWN ? (
        <li className="px-3 py-1.5 text-muted text-sm">
          The first {SHOWN} calls are listed, less strict outcomes first.
        </li>
      ) : null}
    </ul>
  );
}

function Call({ call }: { call: SampledCallView }) {
  const { result, why, from, to, tool, event, excerpt, agentName, occurredAt, durationMs, commandsRun, asked } = call;
  const found = RESULTS.find((one) => one.result === result);
  const verdicts = from === null || to === null ? "" : `: ${verdictText(from)} → ${verdictText(to)}`;
  const work = [
    commandsRun > 0 ? plural(commandsRun, "command") : null,
    asked > 0 ? plural(asked, "question") : null,
    call.reused > 0 ? `${formatCount(call.reused)} from the cache` : null,
    formatDuration(durationMs),
  ].filter((part) => part !== null);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
      <Mark tone={found?.tone ?? "unknown"} label={`${found?.label ?? result}${verdicts}`} />
      <span className="text-muted text-sm">{tool || event}</span>
      <code className="min-w-0 flex-1 basis-48 truncate" title={excerpt}>
        {excerpt || "The recorded input was erased or deleted."}
      </code>
      {why === null ? null : <span className="text-muted text-sm">{UNKNOWN_TEXTS[why]}</span>}
      <span className="text-faint text-sm">
        {work.join(", ")}, {agentName}, <RelativeTime at={occurredAt} />
      </span>
      <Link className="text-sm underline" href={`/activity?open=${eventKeyText(call)}`}>
        Open<span className="sr-only"> {excerpt || tool || event}</span>
      </Link>
    </li>
  );
}
