"use client";

import { parseAsString } from "nuqs";
import type { MouseEvent } from "react";
import { SelectCall } from "@/components/decisions/batch/selection";
import { CallChain, CallEnd, CallOutcome, LastWord } from "@/components/decisions/call-outcome";
import { FollowUpMark, followUpText } from "@/components/decisions/follow-up/follow-up-mark";
import { deciderWords } from "@/components/decisions/labels";
import { decisiveOf, lastWordOf, outcomeWords } from "@/components/decisions/outcome-words";
import { Called } from "@/components/decisions/subject";
import { EventTitle } from "@/components/layout/event-title";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { useOpenHref } from "@/components/layout/use-open-href";
import { PersonName } from "@/components/principals/person-name";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import type { CallView } from "@/server/decisions/schema";
import { type DecisionView, sourceWords, verdictWords } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

/** The columns of the list; a constant, because the table is rebuilt when they change. */
export const callColumns: readonly Column<CallView>[] = [
  {
    id: "select",
    header: "Select",
    hasHiddenHeader: true,
    cell: (row) => <SelectCall row={row} />,
    width: 40,
    fixed: true,
    priority: 3,
  },
  {
    id: "at",
    header: "When",
    cell: (row) => <When row={row} />,
    value: (row) => row.occurredAt,
    width: 84,
    sortable: true,
    fixed: true,
    priority: 1,
  },
  {
    id: "agent",
    header: "Agent",
    cell: (row) => row.agentName,
    value: (row) => row.agentName,
    width: 112,
    priority: 2,
  },
  {
    id: "person",
    header: "Person",
    cell: (row) => <PersonName principal={row.principal} isBrief />,
    value: (row) => row.principal?.id ?? "unknown",
    width: 120,
    priority: 3,
    hint: "The person or service that the agent worked for, and how certain that is.",
  },
  {
    id: "what",
    header: "Call",
    cell: (row) => <WholeCall row={row} />,
    value: (row) => `${row.tool} ${row.excerpt}`.trim(),
    grow: true,
    width: 216,
    fixed: true,
    priority: 1,
    hint: "The tool and its command, path or address. For tools without these, all arguments. At most 240 characters.",
  },
  {
    id: "outcome",
    header: "Outcome",
    cell: (row) => <CallOutcome row={row} />,
    value: (row) => outcomeWords(row).label,
    width: 264,
    fixed: true,
    priority: 1,
    hint: "The outcome of the call, and who or what decided.",
  },
  {
    id: "ran",
    header: "Result",
    cell: (row) => <CallEnd row={row} />,
    value: (row) => row.ran,
    width: 96,
    priority: 2,
    hint: "The agent's report whether the tool ran.",
  },
  {
    id: "final",
    header: "Agent's decision",
    cell: (row) => <LastWord row={row} />,
    value: (row) => lastWordOf(row.chain)?.source ?? null,
    width: 180,
    priority: 3,
    hidden: true,
    hint: "The agent's own final decision, if the agent reported it.",
  },
  {
    id: "verdict",
    header: "All decisions",
    cell: (row) => <CallChain chain={row.chain} />,
    value: (row) => row.chain.map(({ verdict }) => verdict).join(" > "),
    width: 216,
    priority: 3,
    hidden: true,
    hint: "The policies' decisions and the agent's final decision, if known.",
  },
  {
    id: "tool",
    header: "Tool",
    cell: (row) => <Called of={row} />,
    value: (row) => row.tool,
    width: 100,
    priority: 3,
    hidden: true,
  },
  {
    id: "input",
    header: "Input",
    cell: (row) => <Excerpt row={row} />,
    value: (row) => row.excerpt,
    width: 240,
    priority: 3,
    hidden: true,
  },
  {
    id: "decider",
    header: "Decided by",
    cell: (row) => <Decider row={row} />,
    value: (row) => decisiveOf(row.chain)?.source ?? row.source,
    width: 132,
    priority: 3,
    hidden: true,
    hint: "The name of the rule that decided, or the agent's own source of the decision.",
  },
  {
    id: "session",
    header: "Session",
    cell: (row) => <Session id={row.sessionId} />,
    value: (row) => row.sessionId,
    width: 104,
    priority: 3,
    hidden: true,
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
    id: "followUp",
    header: "Follow-up",
    cell: (row) =>
      row.followUp === null ? (
        <Missing reason="The call has no assignee, comments or keywords." />
      ) : (
        <FollowUpMark mark={row.followUp} />
      ),
    value: (row) => followUpText(row.followUp),
    width: 200,
    priority: 3,
    hidden: true,
  },
  {
    id: "event",
    header: "Event",
    cell: (row) => <EventTitle event={row.event} />,
    value: (row) => row.event,
    width: 180,
    priority: 3,
    hidden: true,
  },
  {
    id: "call",
    header: "Tool call",
    cell: (row) =>
      row.toolUseId === null ? (
        <Missing reason="The agent sent no ID for this tool call." />
      ) : (
        <code>{row.toolUseId}</code>
      ),
    value: (row) => row.toolUseId,
    width: 160,
    priority: 3,
    hidden: true,
  },
];

const NO_REASON = "Agents report final decisions without a reason.";

/** The verdict as icon and word. */
export function Verdict({ verdict, look = "plain" }: { verdict: string; look?: "plain" | "tag" | "large" }) {
  const { tone, word } = verdictWords(verdict);
  return <Mark tone={tone} label={word} look={look} />;
}

function Excerpt({ row }: { row: DecisionView }) {
  if (row.excerpt === "") return <Missing reason="The call had no arguments." />;
  return <code>{row.excerpt.replace(/\s+/g, " ")}</code>;
}

/** The tool and what it is called with, on one line. */
function WholeCall({ row }: { row: CallView }) {
  const words = row.excerpt.replace(/\s+/g, " ");
  return (
    <span className="flex min-w-0 items-center gap-2 max-sm:flex-col max-sm:items-start max-sm:gap-1">
      <span className="min-w-0 truncate" title={words}>
        <span className="text-muted">
          <Called of={row} />
        </span>{" "}
        <code>{words}</code>
      </span>
      {row.followUp === null ? null : (
        <span className="min-w-0 shrink-0 sm:max-w-1/2">
          <FollowUpMark mark={row.followUp} />
        </span>
      )}
    </span>
  );
}

/** The decider, with the sentence on hover. */
function Decider({ row }: { row: CallView }) {
  const by = decisiveOf(row.chain) ?? row;
  const says = by.kind === "gate" ? by.reason || sourceWords(by.source).says : sourceWords(by.source).says;
  return (
    <Tooltip content={says}>
      <span className={by.kind === "gate" ? "font-medium" : "text-muted"}>{deciderWords(by)}</span>
    </Tooltip>
  );
}

/** The way to a call's own address: a plain click opens it here, any other as the browser does. */
function When({ row }: { row: CallView }) {
  const href = useOpenHref(eventKeyText)(row);
  const [, show] = useDrawerParam("open", parseAsString);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void show(eventKeyText(row));
  };
  return (
    // The row itself is reached by keyboard; a second stop in each would only slow it down.
    <a href={href} tabIndex={-1} onClick={open} className="rounded-sm hover:underline">
      <RelativeTime at={row.occurredAt} className="text-muted text-sm" />
    </a>
  );
}

/**
 * Eight digits are enough to distinguish the sessions on one screen. A readable name may use the column's full width.
 */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

function Session({ id }: { id: string }) {
  if (id === "") return <Missing reason="The call belongs to no session." />;
  return (
    <Tooltip content={id}>
      <code className="text-muted">{UUID.test(id) ? id.slice(0, 8) : id}</code>
    </Tooltip>
  );
}
