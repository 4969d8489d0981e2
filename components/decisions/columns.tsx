"use client";

import { deciderWords } from "@/components/decisions/labels";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import { type DecisionView, sourceWords, verdictWords } from "@/server/decisions/schema";

/** The columns of the list; a constant, because the table is rebuilt when they change. */
export const decisionColumns: readonly Column<DecisionView>[] = [
  {
    id: "at",
    header: "When",
    cell: (row) => <RelativeTime at={row.occurredAt} className="text-muted text-sm" />,
    value: (row) => row.occurredAt,
    width: 92,
    sortable: true,
    fixed: true,
    priority: 1,
  },
  {
    id: "verdict",
    header: "Verdict",
    cell: (row) => <Verdict verdict={row.verdict} />,
    value: (row) => row.verdict,
    width: 128,
    fixed: true,
    priority: 1,
  },
  {
    id: "tool",
    header: "Tool",
    cell: (row) => <Called of={row} />,
    value: (row) => row.tool,
    width: 132,
    priority: 1,
  },
  {
    id: "input",
    header: "Input",
    cell: (row) => <Excerpt row={row} />,
    value: (row) => row.excerpt,
    grow: true,
    width: 260,
    priority: 2,
    hint: "The command, path or address; else all arguments. Cut at 240 characters.",
  },
  {
    id: "decider",
    header: "Decided by",
    cell: (row) => <Decider row={row} />,
    value: (row) => row.source,
    width: 188,
    priority: 2,
    hint: "By name the hook of a policy here that decided; else what decided at the agent.",
  },
  {
    id: "agent",
    header: "Agent",
    cell: (row) => row.agentName,
    value: (row) => row.agentName,
    width: 128,
    priority: 2,
  },
  {
    id: "session",
    header: "Session",
    cell: (row) => <Session id={row.sessionId} />,
    value: (row) => row.sessionId,
    width: 104,
    priority: 3,
  },
  {
    id: "reason",
    header: "Reason",
    cell: (row) => (row.reason === "" ? <Missing reason={NO_REASON} /> : row.reason),
    value: (row) => row.reason,
    width: 280,
    priority: 3,
    hidden: true,
  },
  {
    id: "event",
    header: "Event",
    cell: (row) => <code>{row.event}</code>,
    value: (row) => row.event,
    width: 180,
    priority: 3,
    hidden: true,
  },
  {
    id: "call",
    header: "Tool call",
    cell: (row) =>
      row.toolUseId === null ? <Missing reason="The agent named no tool call." /> : <code>{row.toolUseId}</code>,
    value: (row) => row.toolUseId,
    width: 160,
    priority: 3,
    hidden: true,
  },
];

const NO_REASON = "A final decision carries a source but no reason.";

/** The tool; a call of a model has none. */
export function Called({ of: { tool, event } }: { of: Pick<DecisionView, "tool" | "event"> }) {
  if (tool !== "") return <code>{tool}</code>;
  if (event === "before_llm_call") return <span className="text-muted">model call</span>;
  return <Missing reason="It was not about a tool." />;
}

/** The verdict as icon and word. */
export function Verdict({ verdict, look = "plain" }: { verdict: string; look?: "plain" | "tag" | "large" }) {
  const { tone, word } = verdictWords(verdict);
  return <Mark tone={tone} label={word} look={look} />;
}

function Excerpt({ row }: { row: DecisionView }) {
  if (row.excerpt === "") return <Missing reason="The call had no arguments." />;
  return <code>{row.excerpt.replace(/\s+/g, " ")}</code>;
}

/** The decider, with the sentence on hover. */
function Decider({ row }: { row: DecisionView }) {
  const says = row.kind === "gate" ? row.reason || sourceWords(row.source).says : sourceWords(row.source).says;
  return (
    <Tooltip content={says}>
      <span className={row.kind === "gate" ? "font-medium" : "text-muted"}>{deciderWords(row)}</span>
    </Tooltip>
  );
}

/** Eight digits tell sessions of one screen apart; a name that says something is left to the column's width. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

function Session({ id }: { id: string }) {
  if (id === "") return <Missing reason="Outside of any session." />;
  return (
    <Tooltip content={id}>
      <code className="text-muted">{UUID.test(id) ? id.slice(0, 8) : id}</code>
    </Tooltip>
  );
}
