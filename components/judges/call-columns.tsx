"use client";

import { CallCost, TokenCount } from "@/components/judges/cost";
import { verdictLook } from "@/components/judges/labels";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { causeWords, type JudgeCallView } from "@/server/judges/schema";

const NO_USAGE = "The judge gave no answer, or the provider reported no usage.";

/** A constant, because the table is rebuilt when they change. */
export const callColumns: readonly Column<JudgeCallView>[] = [
  {
    id: "at",
    header: "When",
    width: 88,
    fixed: true,
    priority: 1,
    value: (row) => row.occurredAt,
    cell: (row) => <RelativeTime at={row.occurredAt} className="text-muted" />,
  },
  {
    id: "verdict",
    header: "Verdict",
    width: 132,
    priority: 1,
    value: (row) => row.verdict,
    cell: (row) => <Mark {...verdictLook(row.verdict)} />,
  },
  {
    id: "cause",
    header: "Failure cause",
    width: 116,
    hint: "Reason for a missing or invalid answer",
    value: (row) => row.cause,
    cell: (row) =>
      row.cause === null ? (
        <Missing reason="Valid answer." />
      ) : (
        <span className="text-error">{causeWords(row.cause).label}</span>
      ),
  },
  {
    id: "hook",
    header: "Judge",
    width: 150,
    grow: true,
    value: (row) => row.hook,
    cell: (row) => <span className="truncate">{row.hook}</span>,
  },
  {
    id: "model",
    header: "Model",
    width: 150,
    value: (row) => row.model,
    cell: (row) => <span className="truncate font-mono text-sm">{row.model}</span>,
  },
  {
    id: "about",
    header: "Tool or event",
    width: 120,
    priority: 3,
    value: (row) => row.tool ?? row.event,
    cell: (row) => <span className="truncate font-mono text-sm">{row.tool ?? row.event}</span>,
  },
  {
    id: "agent",
    header: "Agent",
    hidden: true,
    width: 120,
    priority: 3,
    value: (row) => row.agentName,
    cell: (row) => <span className="truncate">{row.agentName}</span>,
  },
  {
    id: "input",
    header: "Input",
    width: 72,
    align: "right",
    priority: 3,
    hint: "Tokens, including cached tokens",
    value: (row) => row.inputTokens,
    cell: (row) => <TokenCount count={row.inputTokens} missing={NO_USAGE} />,
  },
  {
    id: "output",
    header: "Output",
    width: 72,
    align: "right",
    priority: 3,
    value: (row) => row.outputTokens,
    cell: (row) => <TokenCount count={row.outputTokens} missing={NO_USAGE} />,
  },
  {
    id: "cost",
    header: "Cost",
    width: 84,
    align: "right",
    value: (row) => row.nano,
    cell: (row) => <CallCost call={row} />,
  },
  {
    id: "latency",
    header: "Took",
    width: 76,
    align: "right",
    value: (row) => row.latencyMs,
    cell: (row) => (row.latencyMs === null ? <Missing reason="Not asked." /> : formatDuration(row.latencyMs)),
  },
];
