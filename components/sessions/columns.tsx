"use client";

import { CornerDownRight, ListTree } from "lucide-react";
import { SessionTitle } from "@/components/layout/session-title";
import { stateWords } from "@/components/sessions/labels";
import { Spent } from "@/components/sessions/spent";
import { formatCount } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import { type SessionView, timelineHref } from "@/server/sessions/schema";

export function StateMark({ session, look = "tag" }: { session: SessionView; look?: "tag" | "large" }) {
  const { tone, label, says } = stateWords[session.state];
  const why = session.endReason && session.state === "ended" ? `${says} Reason: ${session.endReason}.` : says;
  return (
    <Tooltip content={why}>
      <span>
        <Mark tone={tone} label={label} look={look} />
      </span>
    </Tooltip>
  );
}

const zeroQuiet = (count: number) => <span className={count === 0 ? "text-faint" : ""}>{formatCount(count)}</span>;

/** The columns of a list with sessions that have not ended; a constant, because the table is rebuilt when they change. */
export const sessionColumns: readonly Column<SessionView>[] = [
  {
    id: "session",
    header: "Session",
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-1.5">
        {row.parentSessionId === null ? null : (
          <Tooltip content="Sub-session.">
            <CornerDownRight aria-label="A sub-session" className="size-3 shrink-0 text-faint" />
          </Tooltip>
        )}
        <Link href={timelineHref(row)} className="flex min-w-0 items-baseline gap-1.5 rounded-sm hover:underline">
          <SessionTitle title={row.title} sessionId={row.sessionId} />
        </Link>
      </span>
    ),
    value: (row) => row.sessionId,
    grow: true,
    width: 224,
    fixed: true,
    priority: 1,
  },
  {
    id: "title",
    header: "First prompt",
    cell: (row) => row.title ?? <Missing reason="No prompt recorded." />,
    value: (row) => row.title,
    width: 200,
    priority: 3,
    hidden: true,
  },
  {
    id: "last",
    header: "Last event",
    cell: (row) => <RelativeTime at={row.lastAt} className="text-muted" />,
    value: (row) => row.lastAt,
    width: 92,
    priority: 1,
  },
  {
    id: "state",
    header: "State",
    cell: (row) => (row.state === "ended" ? <span className="text-faint">Ended</span> : <StateMark session={row} />),
    value: (row) => row.state,
    width: 110,
    priority: 1,
  },
  {
    id: "agent",
    header: "Agent",
    cell: (row) => row.agentName,
    value: (row) => row.agentName,
    width: 128,
    priority: 1,
  },
  {
    id: "cost",
    header: "Cost",
    hint: "Spend on the session's own calls, and how many have a cost. Sub-sessions have their own rows.",
    cell: (row) => (
      <span className="inline-flex items-baseline gap-1.5">
        <Spent of={row.spent} />
        {row.spent.calls === 0 ? null : (
          <span className="text-faint" title="Model calls with a known cost, of all model calls of the session">
            {formatCount(row.spent.calls - row.spent.unpriced)} of {formatCount(row.spent.calls)}
          </span>
        )}
      </span>
    ),
    value: (row) => (row.spent.calls > row.spent.unpriced ? row.spent.nano : null),
    width: 136,
    align: "right",
  },
  {
    id: "started",
    header: "Started",
    cell: (row) => <RelativeTime at={row.firstAt} look="clock" className="text-muted" />,
    value: (row) => row.firstAt,
    width: 104,
    hidden: true,
  },
  {
    id: "took",
    header: "Duration",
    hint: "Time from the first to the last event.",
    cell: (row) => formatDuration(row.lastAt.getTime() - row.firstAt.getTime()),
    value: (row) => row.lastAt.getTime() - row.firstAt.getTime(),
    width: 92,
    align: "right",
  },
  {
    id: "turns",
    header: "Turns",
    cell: (row) =>
      row.turns === null ? (
        <Missing reason="This session ran before turns were counted." />
      ) : row.turns === 0 ? (
        <Missing reason="The client reported no turn." />
      ) : (
        formatCount(row.turns)
      ),
    value: (row) => row.turns,
    width: 62,
    align: "right",
  },
  {
    id: "events",
    header: "Events",
    cell: (row) => formatCount(row.events),
    value: (row) => row.events,
    width: 68,
    align: "right",
  },
  {
    id: "denied",
    header: "Denied",
    hint: "Tool calls that Quarterdeck or the agent denied.",
    cell: (row) => <span className={row.denied > 0 ? "text-deny" : "text-faint"}>{formatCount(row.denied)}</span>,
    value: (row) => row.denied,
    width: 68,
    align: "right",
  },
  {
    id: "compactions",
    header: "Compacted",
    hint: "Applied compactions.",
    cell: (row) => zeroQuiet(row.compactions),
    value: (row) => row.compactions,
    width: 88,
    align: "right",
  },
  {
    id: "below",
    header: "Sub-sessions",
    hint: "Direct sub-sessions.",
    cell: (row) =>
      row.subSessions === 0 ? (
        zeroQuiet(0)
      ) : (
        <span className="inline-flex items-center gap-1">
          <ListTree aria-hidden className="size-3 text-faint" /> {formatCount(row.subSessions)}
        </span>
      ),
    value: (row) => row.subSessions,
    width: 96,
    align: "right",
  },
];

/** The columns of a list in which every session has ended. */
export const endedSessionColumns: readonly Column<SessionView>[] = sessionColumns.filter(({ id }) => id !== "state");
