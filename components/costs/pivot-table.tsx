"use client";

import { ChevronDown, ChevronRight, Coins } from "lucide-react";
import { useMemo, useState } from "react";
import { Amount } from "@/components/costs/amount";
import { Change } from "@/components/costs/change";
import { tokensIn } from "@/components/costs/sort-order";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PersonLabel } from "@/components/principals/person-name";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { IconButton } from "@/components/ui/icon-button";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column, TableStatus } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import type { Dimension, PivotCellView, PivotInput, PivotLineView, PivotView } from "@/server/costs/schema";

export interface PivotTableProps {
  grouping: Pick<PivotInput, "by" | "split">;
  pivot: PivotView | undefined;
  status: TableStatus;
  error: string | null;
  onRetry: () => void;
  during: string;
}

interface Row {
  readonly id: string;
  readonly by: Dimension;
  readonly cell: PivotCellView;
  /** Null: a part of the line above it. */
  readonly line: PivotLineView | null;
}

const rowId = ({ id }: Row) => id;

/** Lines with their parts below them, each with its share of priced calls. */
export function PivotTable({ grouping: { by, split }, pivot, status, error, onRetry, during }: PivotTableProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(pivot?.lines ?? [], by, split, closed), [pivot, by, split, closed]);
  const columns = useMemo(() => {
    const toggle = (id: string) =>
      setClosed((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id])));
    return columnsOf(pivot?.total.ledger.nano ?? 0n, { closed, toggle });
  }, [pivot, closed]);
  return (
    <div className="flex flex-col gap-2">
      <DataTable
        id="costs-grouped"
        label={`costs by ${by}${split === null ? "" : ` and ${split}`}`}
        columns={columns}
        rows={rows}
        getRowId={rowId}
        status={status}
        error={error}
        stillWorks={<GatewayStatus />}
        onRetry={onRetry}
        height="auto"
        bare
        empty={<EmptyState icon={Coins} title={`No model calls ${during}`} compact />}
      />
      {pivot?.isCut ? (
        <p className="text-muted text-sm">
          Only the newest sessions are listed. Calls of other sessions are in “all others”, so the rows add up to the
          total.
        </p>
      ) : null}
    </div>
  );
}

function rowsOf(
  lines: readonly PivotLineView[],
  by: Dimension,
  split: Dimension | null,
  closed: ReadonlySet<string>,
): Row[] {
  return lines.flatMap((line) => {
    const id = JSON.stringify([line.name]);
    const own: Row = { id, by, cell: line, line };
    if (split === null || closed.has(id)) return [own];
    return [
      own,
      ...line.parts.map((cell) => ({ id: JSON.stringify([line.name, cell.name]), by: split, cell, line: null })),
    ];
  });
}

const UNNAMED: Readonly<Record<Dimension, string>> = {
  agent: "no agent",
  person: "unknown person",
  group: "no group",
  model: "no model",
  provider: "no provider",
  tag: "no tag",
  day: "no day",
  session: "no session",
  root: "no session",
  workspace: "this workspace",
};
const OTHERS: Readonly<Record<Dimension, string>> = {
  agent: "other agent",
  person: "other person",
  group: "other set of groups",
  model: "other model",
  provider: "other provider",
  tag: "other set of tags",
  day: "other day",
  session: "other session",
  root: "other session",
  workspace: "other workspace",
};

function nameOf({ by, cell }: Row) {
  if (cell.name === "") return <span className="text-muted italic">{UNNAMED[by]}</span>;
  if (cell.name === null)
    return (
      <span className="text-muted italic">{cell.groups > 0 ? plural(cell.groups, OTHERS[by]) : "all others"}</span>
    );
  if (by === "person") return <PersonLabel id={cell.name} />;
  return <span className={by === "session" || by === "root" ? "truncate font-mono" : "truncate"}>{cell.name}</span>;
}

interface Folding {
  readonly closed: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

const columnsOf = (whole: bigint, folding: Folding): Column<Row>[] => [
  nameColumn(folding),
  SPEND,
  shareColumn(whole),
  ...MEASURES,
];

const nameColumn = ({ closed, toggle }: Folding): Column<Row> => ({
  id: "name",
  header: "Name",
  cell: (row) => (
    <span className="flex min-w-0 items-center gap-1">
      {row.line === null ? (
        <span aria-hidden className="w-9 shrink-0" />
      ) : row.line.parts.length > 0 ? (
        <IconButton
          size="sm"
          icon={closed.has(row.id) ? ChevronRight : ChevronDown}
          label={`${closed.has(row.id) ? "Show" : "Hide"} the parts of ${row.cell.name ?? "the others"}`}
          aria-expanded={!closed.has(row.id)}
          onClick={() => toggle(row.id)}
        />
      ) : null}
      <span className={row.line === null ? "min-w-0 truncate text-muted" : "min-w-0 truncate font-medium"}>
        {nameOf(row)}
      </span>
    </span>
  ),
  value: ({ cell }) => cell.name ?? "(all others)",
  grow: true,
  width: 200,
  fixed: true,
  priority: 1,
});

const SPEND: Column<Row> = {
  id: "spend",
  header: "Spend",
  cell: ({ cell: { ledger } }) =>
    ledger.calls === 0 ? <Missing reason="No calls in this range." /> : <Amount of={ledger} />,
  value: ({ cell: { ledger } }) =>
    ledger.calls === ledger.unpriced ? null : exactMoney(ledger.nano).replace(/[$,]/g, ""),
  width: 104,
  align: "right",
  priority: 1,
};

const shareColumn = (whole: bigint): Column<Row> => ({
  id: "share",
  header: "Share",
  hint: "Share of the priced spend in this range.",
  cell: ({ cell: { ledger } }) => (
    <span className="text-muted">{ledger.nano <= 0n || whole <= 0n ? "—" : formatShare(ledger.nano, whole)}</span>
  ),
  width: 72,
  align: "right",
});

const MEASURES: readonly Column<Row>[] = [
  {
    id: "change",
    header: "vs. previous",
    hint: "Spend in the previous period of the same length.",
    cell: ({ cell }) => <Change now={cell.ledger} previous={cell.previous} />,
    width: 150,
    align: "right",
  },
  {
    id: "coverage",
    header: "Priced",
    hint: "Share of calls that have a cost. Totals include only these calls.",
    cell: ({ cell: { ledger } }) =>
      ledger.calls === 0 ? (
        <Missing reason="No calls in this range." />
      ) : (
        <Tooltip
          content={`${formatCount(ledger.priced)} priced, ${formatCount(ledger.free)} free, ${formatCount(ledger.unpriced)} unpriced of ${plural(ledger.calls, "call")}.`}
        >
          <span className={ledger.unpriced === 0 ? "text-muted" : ""}>
            {formatShare(ledger.calls - ledger.unpriced, ledger.calls)} of {formatCount(ledger.calls)}
          </span>
        </Tooltip>
      ),
    value: ({ cell: { ledger } }) => ledger.calls - ledger.unpriced,
    width: 110,
    align: "right",
  },
  {
    id: "estimated",
    header: "Estimated",
    hint: "Estimated cost of unpriced calls, by the price list. Totals do not include the estimate.",
    cell: ({ cell: { estimates } }) =>
      estimates.calls === 0 ? (
        <Missing reason="No estimates." />
      ) : (
        <Tooltip content={`${exactMoney(estimates.nano)} for ${plural(estimates.calls, "unpriced call")}.`}>
          <span className="text-muted italic">~{shortMoney(estimates.nano)}</span>
        </Tooltip>
      ),
    value: ({ cell: { estimates } }) =>
      estimates.calls === 0 ? null : exactMoney(estimates.nano).replace(/[$,]/g, ""),
    width: 92,
    align: "right",
    priority: 3,
  },
  {
    id: "tokens",
    header: "Tokens",
    hint: "Tokens of input, cached input, cache writes and output.",
    cell: ({ cell: { ledger } }) =>
      ledger.withoutUsage === ledger.calls ? (
        <Missing reason="No usage reported." />
      ) : (
        formatTokens(tokensIn(ledger.tokens))
      ),
    value: ({ cell: { ledger } }) => tokensIn(ledger.tokens),
    width: 84,
    align: "right",
    priority: 3,
  },
];
