"use client";

import { FullnessBar } from "@/components/compactions/fullness-bar";
import { interventionWords, outcomeWords, reasonSays } from "@/components/compactions/labels";
import { afterMissingSays } from "@/components/compactions/measure-text";
import { TroubleMark } from "@/components/compactions/trouble-mark";
import { Badge } from "@/components/ui/badge";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import type { AttemptView, ListedAttemptView } from "@/server/compactions/schema";

export function OutcomeMark({ attempt, look = "tag" }: { attempt: AttemptView; look?: "tag" | "large" }) {
  const { tone, label, says } = outcomeWords[attempt.outcome];
  return (
    <Tooltip content={look === "tag" ? says : null}>
      <span>
        <Mark tone={tone} label={label} look={look} />
      </span>
    </Tooltip>
  );
}

/** The columns of the list; a constant, because the table is rebuilt when they change. */
export const attemptColumns: readonly Column<ListedAttemptView>[] = [
  {
    id: "at",
    header: "When",
    cell: (row) => <RelativeTime at={row.occurredAt} className="text-muted" />,
    value: (row) => row.occurredAt,
    width: 88,
    fixed: true,
    priority: 1,
  },
  {
    id: "outcome",
    header: "Outcome",
    cell: (row) => <OutcomeMark attempt={row} />,
    value: (row) => row.outcome,
    width: 140,
    priority: 1,
  },
  {
    id: "reason",
    header: "Reason",
    cell: (row) =>
      row.reason === "" ? (
        <Missing reason="No reason reported." />
      ) : (
        <Tooltip content={reasonSays(row.reason)}>
          <span>{row.reason}</span>
        </Tooltip>
      ),
    value: (row) => row.reason,
    width: 88,
  },
  {
    id: "before",
    header: "Context before",
    hint: "Input and output tokens together, and the share of the context limit that they fill.",
    cell: (row) => <FullnessBar attempt={row} />,
    value: (row) => row.tokensBefore,
    width: 156,
  },
  {
    id: "after",
    header: "Context after",
    hint: "Context tokens of the first model call after the compaction, and their share of the tokens before.",
    cell: (row) => <After attempt={row} />,
    value: (row) => row.joined?.tokensAfter,
    width: 124,
    hidden: true,
    align: "right",
  },
  {
    id: "trouble",
    header: "Next turns",
    hint: "Denied and failed calls, errors, loops and repeated questions in the ten turns after the compaction, compared with the turns before. For a client that reports no model calls, each tool call counts as a turn.",
    cell: (row) =>
      row.outcome !== "applied" ? (
        <span className="text-faint">—</span>
      ) : row.joined === null ? (
        notJoined
      ) : (
        <TroubleMark isTroubled={row.joined.isTroubled} />
      ),
    value: (row) => row.joined?.isTroubled,
    width: 148,
  },
  {
    id: "lost",
    header: "Lost",
    hint: "Earlier questions, open errors, files and commands whose exact text is missing from the summary.",
    cell: (row) => <Lost attempt={row} />,
    value: (row) => row.joined?.losses?.lost,
    width: 76,
  },
  {
    id: "hooks",
    header: "What hooks did",
    cell: (row) => <Interventions attempt={row} />,
    value: (row) => row.interventions.join(" "),
    width: 150,
  },
  {
    id: "what",
    header: "Summary",
    cell: (row) =>
      row.vetoedBecause ? (
        <span className="text-deny">{row.vetoedBecause}</span>
      ) : row.summaryStart ? (
        <>
          {row.joined?.secrets ? (
            <span className="text-deny">{plural(row.joined.secrets, "secret")} masked: </span>
          ) : null}
          <span className="text-muted">{row.summaryStart.replace(/[#*`\s]+/g, " ").trim()}</span>
        </>
      ) : (
        <Missing
          reason={row.outcome === "applied" ? "The agent did not report the summary." : "No summary was applied."}
        />
      ),
    value: (row) => row.vetoedBecause ?? row.summaryStart,
    grow: true,
    width: 180,
  },
  {
    id: "size",
    header: "Summary size",
    hint: "Size of the summary text.",
    cell: (row) => (row.summaryBytes === null ? <span className="text-faint">—</span> : formatBytes(row.summaryBytes)),
    value: (row) => row.summaryBytes,
    width: 116,
    align: "right",
    hidden: true,
  },
  {
    id: "took",
    header: "Took",
    cell: (row) =>
      row.durationMs === null ? (
        <Missing reason="Not ended yet." />
      ) : row.durationMs === 0 && row.events.length === 1 ? (
        <Missing reason="Only one event was recorded, so the duration is unknown." />
      ) : (
        formatDuration(row.durationMs)
      ),
    value: (row) => row.durationMs,
    width: 76,
    hidden: true,
    align: "right",
  },
  {
    id: "secrets",
    header: "Secrets",
    hint: "Number of secrets in the summary. The stored summary masks them.",
    cell: (row) =>
      row.joined === null || row.joined.secrets === null ? (
        <span className="text-faint">—</span>
      ) : (
        <span className={row.joined.secrets > 0 ? "text-deny" : "text-faint"}>{formatCount(row.joined.secrets)}</span>
      ),
    value: (row) => row.joined?.secrets,
    width: 74,
    align: "right",
    hidden: true,
  },
  {
    id: "model",
    header: "Model",
    hint: "Model of the last model call before the compaction.",
    cell: (row) =>
      row.joined?.modelId ? row.joined.modelId : <Missing reason="No model call of this session was recorded." />,
    value: (row) => row.joined?.modelId,
    width: 150,
    hidden: true,
  },
  {
    id: "agent",
    header: "Agent",
    cell: (row) => row.agentName,
    value: (row) => row.agentName,
    width: 128,
  },
  {
    id: "session",
    header: "Session",
    cell: (row) => <span className="font-mono text-muted">{row.sessionId.slice(0, 8) || "—"}</span>,
    value: (row) => row.sessionId,
    width: 88,
    priority: 3,
    hidden: true,
  },
];

const notJoined = <Missing reason="This value appears a few seconds after the compaction." />;

function After({ attempt: { joined, tokensBefore } }: { attempt: ListedAttemptView }) {
  if (joined === null) return notJoined;
  const { tokensAfter, afterMissing } = joined;
  if (tokensAfter === null) return <Missing reason={afterMissingSays(afterMissing)} />;
  const share = tokensBefore === null ? null : formatShare(tokensAfter, tokensBefore);
  return (
    <>
      {formatTokens(tokensAfter)} {share === null ? null : <span className="text-muted">{share}</span>}
    </>
  );
}

/** "4 of 5": amber where something was lost. */
function Lost({ attempt: { outcome, joined } }: { attempt: ListedAttemptView }) {
  if (outcome !== "applied") return <span className="text-faint">—</span>;
  if (joined === null) return notJoined;
  if (joined.losses === null)
    return <Missing reason="The agent reported no summary, or the summary's losses were not counted." />;
  const { known, lost } = joined.losses;
  if (known === 0) return <Missing reason="No events of the session before the compaction were recorded." />;
  return (
    <span className={lost > 0 ? "text-ask" : "text-muted"}>
      {formatCount(lost)} of {formatCount(known)}
    </span>
  );
}

function Interventions({ attempt }: { attempt: AttemptView }) {
  if (attempt.interventions.length === 0) return <span className="text-faint">nothing</span>;
  return (
    <span className="flex items-center gap-1">
      {attempt.interventions.map((one) => (
        <Tooltip key={one} content={interventionWords[one].says}>
          <span>
            <Badge look={one === "vetoed" ? "outline" : "accent"}>{interventionWords[one].short}</Badge>
          </span>
        </Tooltip>
      ))}
    </span>
  );
}
