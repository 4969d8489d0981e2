"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { EventTitle } from "@/components/layout/event-title";
import { type ListDrawerProps, NOWHERE, RecordDrawer } from "@/components/layout/record-drawer";
import { useTRPC } from "@/components/trpc/client";
import { CodeBlock } from "@/components/ui/code/code-block";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { ExactTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { hookWords, verdictWords } from "@/server/decisions/schema";
import { eventKeyText, parseEventKey } from "@/server/recording/event-key-schema";
import type { EventView, InstructionView } from "@/server/sessions/schema";

/** One complete event, in a drawer next to the timeline. */
export function EventDrawer(list: ListDrawerProps) {
  const trpc = useTRPC();
  const key = parseEventKey(list.open);
  const found = useQuery({
    ...trpc.sessions.event.queryOptions(key ?? NOWHERE),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });
  const event = key !== null && found.data?.key.id === key.id ? found.data : undefined;
  return (
    <RecordDrawer
      {...list}
      noun="event"
      title={event ? <EventTitle event={event.event} /> : "Event"}
      of={event ? { ...event, occurredAt: event.key.occurredAt } : undefined}
      isUnreadable={key === null}
      query={found}
      skeleton={
        <>
          <SkeletonText lines={4} />
          <Skeleton className="h-40" />
        </>
      }
    >
      {event ? <Detail event={event} /> : null}
    </RecordDrawer>
  );
}

function Detail({ event }: { event: EventView }) {
  return (
    <div className="flex flex-col gap-6">
      <KeyValue items={factsOf(event)} />
      {event.hooks.length === 0 ? null : (
        <Section
          title="Hooks"
          aside={`${plural(event.hooks.length, "hook")} in ${formatDuration(event.durationUs / 1000)}`}
        >
          <Hooks event={event} />
        </Section>
      )}
      {event.instructions.length === 0 ? null : (
        <Section title="Instructions" aside={plural(event.instructions.length, "instruction")}>
          <Instructions of={event.instructions} />
        </Section>
      )}
      <Section title="Input">
        <CodeBlock code={indented(event.input)} language="json" label="Input" wrap />
      </Section>
      {event.origin === "report" ? null : (
        <Section title="Answer">
          <CodeBlock code={indented(event.answer)} language="json" label="Answer" wrap />
        </Section>
      )}
    </div>
  );
}

function factsOf(event: EventView) {
  const open = eventKeyText(event.key);
  const more = [
    ...(event.isDecision ? [{ href: `/activity?range=all&open=${open}`, label: "The decision" }] : []),
    ...(event.isCall ? [{ href: `/spend?view=calls&range=all&open=${open}`, label: "The model call" }] : []),
    ...(event.isCompaction ? [{ href: `/activity/compactions?range=all&open=${open}`, label: "The compaction" }] : []),
  ];
  return [
    { label: "When", value: <ExactTime at={event.key.occurredAt} /> },
    { label: "Agent", value: event.agentName },
    { label: "Session", value: event.sessionId, mono: true },
    {
      label: "Verdict",
      value: event.verdict === "none" ? undefined : <Mark {...markOfVerdict(event.verdict)} />,
    },
    { label: "Route", value: event.route ?? undefined },
    { label: "Tool", value: event.tool ?? undefined, mono: true },
    { label: "Tool call", value: event.toolUseId ?? undefined, mono: true },
    { label: "Lane", value: event.lane === "default" ? undefined : event.lane, mono: true },
    {
      label: "Source",
      value:
        event.origin === "dispatch" ? (
          "live request"
        ) : (
          <>
            reported later, received <ExactTime at={event.receivedAt} />
          </>
        ),
    },
    { label: "Revision", value: event.revision === "" ? undefined : event.revision, mono: true },
    {
      label: "See also",
      value:
        more.length === 0 ? undefined : (
          <span className="flex flex-wrap gap-3">
            {more.map(({ href, label }) => (
              <Link key={href} className="link" href={href}>
                {label}
              </Link>
            ))}
          </span>
        ),
    },
    { label: "Dispatch", value: event.key.id, mono: true },
  ];
}

const markOfVerdict = (verdict: string) => {
  const { tone, word } = verdictWords(verdict);
  return { tone, label: word };
};

const STATES: Readonly<Record<InstructionView["state"], string>> = {
  given: "",
  removed: "no longer in force",
  unavailable: "unreadable source",
};

/** The instructions that the agent was given, each with its text. */
function Instructions({ of }: { of: readonly InstructionView[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {of.map(({ label, state, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two instructions may have one label; their order is that of the answer
        <li key={index} className="flex flex-col gap-1">
          <span className="break-words font-medium">
            {label}
            {STATES[state] === "" ? "" : `: ${STATES[state]}`}
          </span>
          {content === "" ? null : (
            <p className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3 text-muted">
              {content}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Each hook with its stretch of the dispatch's time. */
function Hooks({ event: { hooks } }: { event: EventView }) {
  const endMs = Math.max(...hooks.map((hook) => hook.startedMs + hook.durationMs), 0.001);
  return (
    <ol className="flex flex-col overflow-hidden rounded-md border">
      {hooks.map((hook, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hooks are told apart by their place, which is the order they ran in
        <li key={index} className="flex flex-col gap-1.5 border-line px-3 py-2 not-first:border-t">
          <div className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 truncate font-medium">{hook.name || hook.type}</span>
            <Mark {...hookWords(hook)} />
            <span className="ml-auto text-muted text-sm">{formatDuration(hook.durationMs)}</span>
          </div>
          <div aria-hidden className="relative h-1 rounded-full bg-pressed">
            <span
              className="absolute h-full min-w-0.5 rounded-full bg-accent"
              style={{
                left: `${(hook.startedMs / endMs) * 100}%`,
                width: `${Math.max((hook.durationMs / endMs) * 100, 1)}%`,
              }}
            />
          </div>
          <p className="text-muted text-sm">
            {hook.type}
            {hook.policy === "" ? "" : ` · ${hook.policy} revision ${hook.revision}`}
          </p>
          {hook.failure === null ? null : <p className="text-error text-sm">{hook.failure}</p>}
        </li>
      ))}
    </ol>
  );
}

/** JSON with its digits and keys as stored, indented; text that is no JSON, or was cut, stays as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
