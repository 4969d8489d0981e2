"use client";

import { Coins } from "lucide-react";
import { useMemo, useState } from "react";
import { assignColours } from "@/components/charts/prepare/colours";
import { Amount } from "@/components/costs/amount";
import { HarnessMark } from "@/components/costs/harness-mark";
import { UNNAMED } from "@/components/costs/query";
import { sortedLines, tokensIn } from "@/components/costs/sort-order";
import { tokenKinds } from "@/components/costs/token-kinds";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { exactMoney } from "@/components/ui/format/nano";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column, Sort, TableStatus } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import type { CostBreakdownView, CostLineView, SeriesBy } from "@/server/costs/schema";

export interface BreakdownTableProps {
  by: SeriesBy;
  breakdown: CostBreakdownView | undefined;
  status: TableStatus;
  error: string | null;
  onRetry: () => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The page's address showing the calls of one group. */
  hrefOf: (name: string) => string;
}

/** Models or agents by cost, each with its share of the spend. */
export function BreakdownTable({ by, breakdown, status, error, onRetry, sort, onSort, hrefOf }: BreakdownTableProps) {
  const columns = useMemo(() => columnsOf(by, breakdown, hrefOf), [by, breakdown, hrefOf]);
  const rows = useMemo(() => sortedLines(breakdown?.lines ?? [], sort), [breakdown, sort]);
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll || rows.length <= SHOWN + 2 ? rows : rows.slice(0, SHOWN);
  const rest = breakdown?.rest;
  return (
    <Section
      title={by === "model" ? "By model" : "By agent"}
      aside={breakdown ? plural(rows.length + (rest?.groups ?? 0), by) : null}
    >
      <DataTable
        id={`costs-by-${by}`}
        label={`costs by ${by}`}
        columns={columns}
        rows={shown}
        getRowId={rowId}
        status={status}
        error={error}
        stillWorks={<GatewayStatus />}
        onRetry={onRetry}
        sort={sort}
        onSort={onSort}
        height="auto"
        bare
        empty={<EmptyState icon={Coins} title="No model calls in this range" compact />}
      />
      {shown.length < rows.length ? (
        <Button variant="ghost" className="w-fit" onClick={() => setShowsAll(true)}>
          Show all {plural(rows.length, by)}
        </Button>
      ) : null}
      {rest ? (
        <p className="text-muted text-sm">
          {plural(rest.groups, `more ${by}`)} with {plural(rest.ledger.calls, "call")} and{" "}
          {exactMoney(rest.ledger.nano)} in total.
        </p>
      ) : null}
    </Section>
  );
}

/** Rows before the rest is asked for. */
const SHOWN = 10;

const rowId = ({ name }: CostLineView) => name;

function columnsOf(
  by: SeriesBy,
  breakdown: CostBreakdownView | undefined,
  hrefOf: (name: string) => string,
): Column<CostLineView>[] {
  const all = [
    ...(breakdown?.lines.map(({ ledger }) => ledger) ?? []),
    ...(breakdown?.rest ? [breakdown.rest.ledger] : []),
  ];
  const spent = all.reduce((sum, { nano }) => sum + nano, 0n);
  const most = all.reduce((most, { nano }) => (nano > most ? nano : most), 0n);
  const colours = assignColours(breakdown?.lines.map(({ name }) => name || UNNAMED) ?? []);
  return [
    {
      id: "name",
      header: by === "model" ? "Model" : "Agent",
      cell: ({ name }) => (
        <span className="flex items-center">
          <Link href={hrefOf(name || UNNAMED)} className="truncate rounded-sm hover:underline">
            {name || <span className="text-muted italic">{by === "model" ? "no model" : "no agent"}</span>}
          </Link>
          {by === "model" ? (
            <span className="ml-2 shrink-0">
              <HarnessMark modelId={name} />
            </span>
          ) : null}
        </span>
      ),
      value: ({ name }) => name,
      grow: true,
      width: 180,
      sortable: true,
      fixed: true,
      priority: 1,
    },
    SPEND,
    {
      id: "share",
      header: "Share of spend",
      hint: "Share of the priced spend in this range.",
      cell: ({ name, ledger }) => (
        <span className="flex items-center gap-2 text-muted">
          <span className="w-11 shrink-0 sm:text-right">
            {ledger.nano === 0n ? "—" : formatShare(ledger.nano, spent)}
          </span>
          <span aria-hidden className="h-1.5 min-w-10 flex-1">
            <span
              className="block h-full rounded-full"
              style={{ width: `${barOf(ledger.nano, most)}%`, background: colours.get(name || UNNAMED) }}
            />
          </span>
        </span>
      ),
      width: 200,
    },
    ...MEASURES,
  ];
}

const SPEND: Column<CostLineView> = {
  id: "spend",
  header: "Spend",
  cell: ({ ledger }) => <Amount of={ledger} />,
  value: ({ ledger }) => exactMoney(ledger.nano).replace(/[$,]/g, ""),
  width: 104,
  align: "right",
  sortable: true,
  priority: 1,
};

const MEASURES: readonly Column<CostLineView>[] = [
  {
    id: "calls",
    header: "Calls",
    cell: ({ ledger }) => formatCount(ledger.calls),
    value: ({ ledger }) => ledger.calls,
    width: 72,
    align: "right",
    sortable: true,
  },
  {
    id: "unpriced",
    header: "Unpriced",
    hint: "Number of calls without a price. Totals do not include them.",
    cell: ({ ledger }) =>
      ledger.unpriced === 0 ? <span className="text-faint">0</span> : formatCount(ledger.unpriced),
    value: ({ ledger }) => ledger.unpriced,
    width: 92,
    align: "right",
    sortable: true,
  },
  {
    id: "tokens",
    header: "Tokens",
    hint: "Tokens of input, cached input, cache writes and output.",
    cell: ({ ledger }) => (
      <Tooltip content={tokenKinds.map(({ key, label }) => `${label} ${formatCount(ledger.tokens[key])}`).join("\n")}>
        <span>{ledger.withoutUsage === ledger.calls ? "—" : formatTokens(tokensIn(ledger.tokens))}</span>
      </Tooltip>
    ),
    value: ({ ledger }) => tokensIn(ledger.tokens),
    width: 88,
    align: "right",
    sortable: true,
  },
];

/** A bar's length in percent; anything above zero is seen. */
const barOf = (nano: bigint, most: bigint): number =>
  nano === 0n || most === 0n ? 0 : Math.max(1, Number((nano * 1_000n) / most) / 10);
