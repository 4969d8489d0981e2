"use client";

import { HarnessMark } from "@/components/costs/harness-mark";
import { UNNAMED } from "@/components/costs/query";
import { PersonName } from "@/components/principals/person-name";
import { formatCount, formatTokens } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import { type CallView, isHarness } from "@/server/costs/schema";

const NO_USAGE = "The provider reported no usage for this call.";

function Tokens({ count, hasUsage }: { count: bigint | null; hasUsage: boolean }) {
  if (count === null) return <Missing reason={hasUsage ? "Not reported." : NO_USAGE} />;
  if (count < 1_000n) return <span>{formatCount(count)}</span>;
  return (
    <Tooltip content={formatCount(count)}>
      <span>{formatTokens(count)}</span>
    </Tooltip>
  );
}

const tokens = (id: keyof CallView["tokens"], header: string, priority: 2 | 3 = 2): Column<CallView> => ({
  id,
  header,
  cell: (row) => <Tokens count={row.tokens[id]} hasUsage={row.hasUsage} />,
  value: (row) => row.tokens[id],
  width: 108,
  align: "right",
  priority,
});

/** The likely reason that a call has no reported price. */
export const unpricedBecause = ({ hasUsage, modelId }: Pick<CallView, "hasUsage" | "modelId">): string =>
  isHarness(modelId)
    ? "The coding harness reported no cost for this call."
    : hasUsage
      ? "The agent reported tokens but no cost for this model."
      : "The provider reported no usage, so the call cannot be priced.";

/** The cost that counts: as corrected, else as reported, else as estimated, each distinct from the others. */
function CallCost({ row: { nano, pricing, corrected, estimated, isClientEstimate, ...row } }: { row: CallView }) {
  if (corrected !== null)
    return (
      <span>
        <Tooltip
          content={`A person corrected this cost. Reported cost: ${nano === null ? "no cost" : exactMoney(nano)}.`}
        >
          <span className="text-muted">corr. </span>
        </Tooltip>
        <Money nano={corrected} />
      </span>
    );
  if (nano === null && estimated !== null)
    return (
      <Tooltip
        content={`The client reported no cost. The price list estimates ${exactMoney(estimated)}, which totals do not include.`}
      >
        <span className="text-muted italic">~{shortMoney(estimated)}</span>
      </Tooltip>
    );
  if (nano !== null && isClientEstimate)
    return (
      <span>
        <Tooltip content="The client estimated this cost from its own prices.">
          <span className="text-muted">est. </span>
        </Tooltip>
        <Money nano={nano} zeroIsFree={pricing === "free"} />
      </span>
    );
  return (
    <Money
      nano={nano}
      zeroIsFree={pricing === "free"}
      reason={`${unpricedBecause(row)} Totals do not include this call.`}
    />
  );
}

/** The columns of the list; a constant, because the table is rebuilt when they change. */
export const callColumns: readonly Column<CallView>[] = [
  {
    id: "at",
    header: "When",
    cell: (row) => <RelativeTime at={row.occurredAt} className="text-muted" />,
    value: (row) => row.occurredAt,
    width: 96,
    fixed: true,
    priority: 1,
  },
  {
    id: "model",
    header: "Model",
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 truncate">{row.modelId || <span className="text-muted italic">{UNNAMED}</span>}</span>
        <HarnessMark modelId={row.modelId} />
      </span>
    ),
    value: (row) => row.modelId,
    grow: true,
    width: 220,
    priority: 1,
  },
  {
    id: "cost",
    header: "Cost",
    cell: (row) => <CallCost row={row} />,
    value: (row) => row.usd,
    width: 96,
    align: "right",
    priority: 1,
  },
  tokens("input", "Input"),
  tokens("cachedInput", "Cached input"),
  tokens("cachedWrite", "Cached write", 3),
  tokens("output", "Output"),
  { ...tokens("reasoning", "Reasoning", 3), hidden: true },
  {
    id: "person",
    header: "Person",
    cell: (row) => <PersonName principal={row.principal} isBrief />,
    value: (row) => row.principal?.id ?? "unknown",
    width: 152,
    priority: 3,
  },
  {
    id: "agent",
    header: "Agent",
    cell: (row) => row.agentName,
    value: (row) => row.agentName,
    width: 140,
  },
  {
    id: "session",
    header: "Session",
    cell: (row) =>
      row.sessionId === "" ? (
        <Missing reason="No session id." />
      ) : (
        <span className="font-mono text-muted">{row.sessionId.slice(0, 8)}</span>
      ),
    value: (row) => row.sessionId,
    width: 92,
    priority: 3,
  },
];
