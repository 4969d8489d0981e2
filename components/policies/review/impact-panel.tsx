"use client";

import { useEffect, useRef } from "react";
import { withEventTitles } from "@/components/layout/hook-place";
import { counted } from "@/components/policies/labels";
import {
  callCountWords,
  changeTone,
  changeWords,
  impactSummary,
  reachSummary,
} from "@/components/policies/review/impact-text";
import { useImpact } from "@/components/policies/review/use-impact";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Spinner } from "@/components/ui/spinner";
import type { BacktestTarget, ImpactChange, ImpactView } from "@/server/backtest/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

interface ImpactPanelProps {
  prepare: () => Promise<BacktestTarget | null>;
  /** Measures once as it opens. */
  isImmediate?: boolean;
}

/** The changes that a text would have made to the calls of the last days. Measured when asked for: it runs hooks. */
export function ImpactPanel({ prepare, isImmediate = false }: ImpactPanelProps) {
  const { impact, start, cancel } = useImpact();
  const measure = () =>
    void prepare().then((asked) => {
      if (asked) start(asked);
    });
  const begin = useRef(isImmediate ? measure : null);
  // Synchronises with the server's look, which begins as the panel opens.
  useEffect(() => {
    begin.current?.();
    begin.current = null;
  }, []);
  return (
    <Section
      title="Impact"
      actions={
        impact.phase === "running" ? (
          <Button size="sm" onClick={cancel}>
            Stop
          </Button>
        ) : (
          <Button size="sm" onClick={measure}>
            {impact.phase === "idle" ? "Measure the impact" : "Measure again"}
          </Button>
        )
      }
    >
      {impact.phase === "idle" ? (
        <p className="text-muted text-sm">
          Optional. Runs up to 500 recorded events of the last 7 days against the revision in force and against this
          draft. Nothing is changed.
        </p>
      ) : impact.phase === "running" ? (
        <p role="status" className="flex items-center gap-2 text-muted text-sm">
          <Spinner />
          {impact.of === 0
            ? "Searching recorded events…"
            : `${impact.done} of ${counted(impact.of, "recorded event")} tested`}
        </p>
      ) : impact.phase === "failed" ? (
        <ErrorLine>{impact.failure}</ErrorLine>
      ) : (
        <Measured view={impact.view} />
      )}
    </Section>
  );
}

function Measured({ view }: { view: ImpactView }) {
  const { changes, unknown, sampled, commandsRun } = view;
  return (
    <div className="flex flex-col gap-2">
      <p role="status">{impactSummary(view)}</p>
      {changes.map((change) => (
        <Change key={`${change.from} ${change.to}`} change={change} sampled={sampled} />
      ))}
      {unknown.length > 0 ? (
        <ul className="flex flex-col gap-1">
          {unknown.map(({ why, count }) => (
            <li key={why} className="flex flex-wrap items-center gap-2">
              <Mark tone="unknown" label="unknown" />
              <span>
                {count} of {counted(sampled, "event")}: {why}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      <Unreached view={view} />
      <p className="text-muted text-sm">
        {sampled > 0 ? `${reachSummary(view)} ` : null}
        Only this policy was run, on recorded inputs with masked secrets. “Already denied” counts calls that were denied
        when they happened.{" "}
        {commandsRun === 0
          ? "No command hook was run."
          : `${counted(commandsRun, "command")} ${commandsRun === 1 ? "was" : "were"} run in the sandbox.`}
      </p>
    </div>
  );
}

/** The rules that no recorded event selected, with the missing part; their effect is unknown. */
function Unreached({ view: { unreached, unreachedCount, sampled } }: { view: ImpactView }) {
  if (unreachedCount === 0 || sampled === 0) return null;
  const hidden = unreachedCount - unreached.length;
  return (
    <ul aria-label="Rules not reached" className="flex flex-col gap-1">
      {unreached.map(({ rule, why }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rules may have one name and one reason, and nothing moves.
        <li key={at} className="flex flex-wrap items-center gap-2">
          <Mark tone="unknown" label="not reached" />
          <span className="min-w-0 break-words">
            <code>{rule}</code>: {why}
          </span>
        </li>
      ))}
      {hidden > 0 ? <li className="text-muted text-sm">and {hidden} more</li> : null}
    </ul>
  );
}

function Change({ change, sampled }: { change: ImpactChange; sampled: number }) {
  const hidden = change.count - change.events.reduce((sum, { count }) => sum + count, 0);
  return (
    <details className="rounded-md border" open={change.from !== change.to}>
      <summary className="flex cursor-pointer flex-wrap items-center gap-2 px-3 py-1.5">
        <Mark tone={changeTone(change)} label={change.to === "none" ? "allows" : change.to} />
        <span className="min-w-0">{changeWords(change, sampled)}</span>
      </summary>
      <ul className="divide-y divide-line border-line border-t">
        {change.events.map((event) => {
          const { tool, excerpt, agentName, occurredAt, reason, isDecision, id } = event;
          return (
            <li key={id} className="flex flex-col gap-0.5 px-3 py-1.5">
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                <span className="text-muted text-sm">{tool || event.event}</span>
                <code className="min-w-0 flex-1 truncate" title={excerpt}>
                  {excerpt}
                </code>
                <span className="text-sm">{callCountWords(event)}</span>
                <span className="text-faint text-sm">
                  {agentName}, <RelativeTime at={occurredAt} />
                </span>
                {isDecision ? (
                  <Link className="text-sm underline" href={`/activity?open=${eventKeyText(event)}`}>
                    Decision<span className="sr-only"> on {excerpt}</span>
                  </Link>
                ) : null}
              </span>
              <span className="break-words text-muted text-sm">{withEventTitles(reason)}</span>
            </li>
          );
        })}
        {hidden > 0 ? <li className="px-3 py-1.5 text-muted text-sm">and {hidden} more</li> : null}
      </ul>
    </details>
  );
}
