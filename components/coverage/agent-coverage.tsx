"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { seenShare } from "@/components/coverage/gap-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { formatCount, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Section } from "@/components/ui/section";
import { SkeletonText } from "@/components/ui/skeleton";
import type { CoverageView } from "@/server/sessions/schema";

const WEEK_MS = 7 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** The gaps in a week of one agent: in its sessions, when it was heard, the state of its clock and its spool. */
export function AgentCoverage({ agentId }: { agentId: string }) {
  useLiveQueries(["coverage"]);
  const trpc = useTRPC();
  const now = useNow(60_000);
  const hour = now === null ? null : Math.ceil(now / HOUR_MS) * HOUR_MS;
  const input = useMemo(
    () => ({ agentId, from: new Date((hour ?? WEEK_MS) - WEEK_MS), to: new Date(hour ?? WEEK_MS) }),
    [agentId, hour],
  );
  const found = useQuery({
    ...trpc.coverage.sums.queryOptions(input),
    enabled: hour !== null,
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Event coverage" aside="sessions active in the last 7 days">
      {found.data ? (
        <KeyValue items={factsOf(found.data)} />
      ) : found.isError ? (
        <ErrorState
          compact
          title="Event coverage could not be loaded"
          reason={failureSentence(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <SkeletonText lines={5} />
      )}
    </Section>
  );
}

function factsOf({ gaps, sessions, waiting, lastSeenAt, neverSent, reports }: CoverageView) {
  const part = (gap: number | null, whole: number, noun: string, event: string) =>
    whole === 0 ? (
      <Missing reason={`No ${noun} reported.`} />
    ) : gap === null ? (
      <Unreported event={event} isNever={neverSent.includes(event)} />
    ) : (
      `${formatCount(gap)} of ${plural(whole, noun)}`
    );
  const share = seenShare(gaps);
  return [
    {
      label: "Received",
      value:
        share === null ? (
          <Missing reason="No event coverage data yet." />
        ) : (
          `${share} of ${plural(gaps.implied, "expected event")} received`
        ),
    },
    { label: "Turns without end", value: part(gaps.turnsWithoutEnd, gaps.turns, "turn", "turn_end") },
    { label: "Turns without start", value: part(gaps.turnsWithoutStart, gaps.turns, "turn", "turn_start") },
    {
      label: "Calls without decision",
      value: part(gaps.toolsWithoutDecision, gaps.toolCalls, "tool call", "on_tool_approval_decision"),
    },
    {
      label: "Calls without result",
      value: part(gaps.toolsWithoutResult, gaps.toolCalls, "tool call", "post_tool_use"),
    },
    {
      label: "Model calls unanswered",
      value: part(gaps.callsWithoutAnswer, gaps.calls, "model call", "after_llm_call"),
    },
    {
      label: "Iterations skipped",
      value: part(gaps.iterationsSkipped, gaps.calls + gaps.iterationsSkipped, "iteration", ""),
    },
    {
      label: "Under way",
      value: gaps.underWay === 0 ? undefined : `${formatCount(gaps.underWay)}, not counted as missing`,
    },
    {
      label: "Waiting",
      value: waiting === 0 ? undefined : `${formatCount(waiting)} of ${plural(sessions, "session")} not checked yet`,
    },
    {
      label: "Last heard",
      value: lastSeenAt === null ? <Missing reason="No events yet." /> : <RelativeTime at={lastSeenAt} />,
    },
    {
      label: "Reporting delay",
      value:
        reports === null ? (
          <span className="text-muted">none: all events were answered live</span>
        ) : (
          `${duration(reports.delayMeanMs)} on average, ${duration(reports.delayMaxMs)} at most, over ${plural(reports.reports, "reported event")}`
        ),
    },
    { label: "Clock skew", value: clockOf(reports) },
  ];
}

/** A kind of event of which none arrived: its client never sends it, or it has not yet. */
function Unreported({ event, isNever }: { event: string; isNever: boolean }) {
  return (
    <span className="text-muted">
      {isNever ? "not reported: this client never sends" : "none yet:"} <code>{event}</code>
    </span>
  );
}

const duration = (ms: number): string => formatDuration(Math.max(0, ms));

/** A report cannot come before it happened: the quickest one bounds how far the agent's clock is off. */
function clockOf(reports: CoverageView["reports"]) {
  if (reports === null) return <Missing reason="The agent has reported no event with a timestamp." />;
  return reports.delayMinMs < 0
    ? `at least ${formatDuration(-reports.delayMinMs)} ahead`
    : `at most ${formatDuration(reports.delayMinMs)} behind`;
}
