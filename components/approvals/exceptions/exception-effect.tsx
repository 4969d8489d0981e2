"use client";

import { useQuery } from "@tanstack/react-query";
import {
  type DecidedSubject,
  decisionsHref,
  effectSentences,
} from "@/components/approvals/exceptions/effect-sentences";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { useDebounced } from "@/components/ui/use-debounced";
import type { EffectOnCalls, ExceptionReach } from "@/server/exceptions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

/** Debounce: stepping through the choices sends one query. */
const WAIT_MS = 250;

export interface ExceptionEffectProps {
  reach: ExceptionReach;
  subject: DecidedSubject;
}

/** The calls of the last week that the exception in the form would have let through. */
export function ExceptionEffect({ reach, subject }: ExceptionEffectProps) {
  const trpc = useTRPC();
  const wanted = JSON.stringify(reach);
  const isLasting = useDebounced(wanted, WAIT_MS) === wanted;
  const { data, error, isFetching, refetch } = useQuery({
    ...trpc.exceptions.effect.queryOptions(reach),
    enabled: isLasting,
  });
  if (error && !data)
    return (
      <div className="flex flex-wrap items-center gap-2">
        <ErrorLine className="min-w-0 flex-1 basis-48">
          The effect on the last 7 days could not be counted. {failureSentence(error)}
        </ErrorLine>
        <Button size="sm" type="button" onClick={() => void refetch()} busy={isFetching}>
          Count again
        </Button>
      </div>
    );
  return (
    <>
      <output className="flex flex-col gap-1 text-muted text-sm">
        {subject.lifts === "verdict" ? (
          <span>
            The rules that the exception names no longer deny these calls or send them for approval. Other rules still
            apply.
          </span>
        ) : null}
        {data ? (
          effectSentences(data).map((text) => <span key={text}>{text}</span>)
        ) : (
          <span>Counting calls of the last 7 days that the exception would let through…</span>
        )}
      </output>
      {data ? <Examples calls={data.calls} subject={subject} /> : null}
    </>
  );
}

/** The newest of those calls. Links open in a new tab, so that typed text is not lost. */
function Examples({ calls, subject }: { calls: EffectOnCalls; subject: DecidedSubject }) {
  const { examples, denied, asked } = calls;
  const hidden = denied + asked - examples.length;
  const href = decisionsHref(calls, subject);
  return (
    <>
      {examples.length === 0 ? null : (
        <ul aria-label="Examples" className="flex flex-col gap-1 text-sm">
          {examples.map(({ occurredAt, id, agentName, verdict, excerpt, isDecision }) => (
            <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-2">
              <Mark
                tone={verdict === "denied" ? "deny" : "ask"}
                label={verdict === "denied" ? "Denied" : "Asked about"}
              />
              <code className="min-w-0 flex-1 basis-40 truncate" title={excerpt}>
                {excerpt.replace(/\s+/g, " ")}
              </code>
              <span className="text-muted">{agentName}</span>
              {isDecision ? (
                <a
                  className="link"
                  href={`/activity?range=7d&open=${eventKeyText({ occurredAt, id })}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  <RelativeTime at={occurredAt} />
                </a>
              ) : (
                <RelativeTime at={occurredAt} className="text-muted" />
              )}
            </li>
          ))}
          {hidden > 0 ? <li className="text-muted">and {hidden} more</li> : null}
        </ul>
      )}
      {href === null ? null : (
        <a className="link w-fit text-sm" href={href} target="_blank" rel="noreferrer">
          See decisions about {subject.toolName} in Calls
        </a>
      )}
    </>
  );
}
