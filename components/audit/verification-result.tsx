"use client";

import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import type { VerificationRun } from "@/server/record/verification/verification-schema";

/** In the accent colour: green would mean that the record is intact. */
const BAR =
  "h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent";

/** A running verification: the entries done, their day, and its place in the queue. */
export function VerificationProgress({ run }: { run: VerificationRun }) {
  const { state, position, from, to, day, dispatches, findings } = run;
  const before = (from ?? 1) - 1;
  const [done, of] = [Math.max(0, position - before), Math.max(0, (to ?? 0) - before)];
  const isLooking = to !== null && position >= to;
  return (
    <>
      {state === "interrupted" ? (
        <Notice kind="warning">
          The verifying process has ended. Another process continues after entry {formatCount(position)} by itself.
        </Notice>
      ) : null}
      <p>
        {state === "waiting" && to === null
          ? "Waiting for the jobs process to start the verification. This takes a few seconds."
          : isLooking
            ? `All ${formatCount(of)} entries are verified. Now the verification looks for recorded events without an entry`
            : `${formatCount(done)} of ${formatCount(of)} entries, ${plural(dispatches, "dispatch", "dispatches")}`}
        {day === null ? "" : ` · ${day} (UTC)`}
        {findings === 0 ? "" : ` · ${plural(findings, "finding")} so far`}
      </p>
      <progress aria-label="Verification" className={BAR} value={done} max={Math.max(1, of)} />
      <p className="text-faint text-sm">
        Started by {run.startedBy} <RelativeTime at={run.startedAt} />. It continues when you leave this page.
      </p>
    </>
  );
}

export function VerificationOutcome({ run }: { run: VerificationRun }) {
  const { result, failure } = run;
  if (result === null)
    return (
      <Notice kind="danger">
        The verification ended without a result after entry {formatCount(run.position)}. {failure} Start the
        verification again: it continues where the last result ended.
      </Notice>
    );
  return (
    <>
      <Sentences title="Altered" lines={result.altered} />
      <Sentences title="Missing" lines={result.missing} />
      {result.notes.length > 0 ? <Sentences title="To know" lines={result.notes} /> : null}
    </>
  );
}

function Sentences({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div>
      <h3 className="font-semibold text-sm">{title}</h3>
      {lines.map((line) => (
        <p key={line} className={line.startsWith("  ") ? "break-words pl-4" : "break-words"}>
          {line}
        </p>
      ))}
    </div>
  );
}
