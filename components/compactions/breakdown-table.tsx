"use client";

import { FoldVertical } from "lucide-react";
import { useMemo } from "react";
import { rates } from "@/components/compactions/measure-text";
import { UNNAMED } from "@/components/compactions/query";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column, Sort, TableStatus } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import type { BreakdownLine, BreakdownView, GroupBy } from "@/server/compactions/schema";

export interface BreakdownTableProps {
  by: GroupBy;
  breakdown: BreakdownView | undefined;
  status: TableStatus;
  error: string | null;
  onRetry: () => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The page's address listing the attempts of one group. */
  hrefOf: (name: string) => string;
}

/** Models, agents or reasons by what their compactions did. */
export function BreakdownTable({ by, breakdown, status, error, onRetry, sort, onSort, hrefOf }: BreakdownTableProps) {
  const columns = useMemo(() => columnsOf(by, hrefOf), [by, hrefOf]);
  const rows = useMemo(() => sorted(breakdown?.lines ?? [], sort), [breakdown, sort]);
  return (
    <Section title={`By ${by}`} aside={breakdown ? plural(rows.length + breakdown.more, by) : null}>
      <DataTable
        id={`compactions-by-${by}`}
        label={`compactions by ${by}`}
        columns={columns}
        rows={rows}
        getRowId={({ name }) => name}
        status={status}
        error={error}
        stillWorks={<GatewayStatus />}
        onRetry={onRetry}
        sort={sort}
        onSort={onSort}
        height="auto"
        bare
        empty={<EmptyState icon={FoldVertical} title="No compactions in this range" compact />}
      />
      {breakdown && breakdown.more > 0 ? (
        <p className="text-muted text-sm">{plural(breakdown.more, `more ${by}`)} with fewer attempts.</p>
      ) : null}
    </Section>
  );
}

const SORTS: Readonly<Record<string, (line: BreakdownLine) => number | null>> = {
  attempts: ({ attempts }) => attempts,
  before: ({ medianBefore }) => (medianBefore === null ? null : Number(medianBefore)),
  after: ({ medianAfter }) => (medianAfter === null ? null : Number(medianAfter)),
  ratio: ({ medianRatio }) => medianRatio,
  took: ({ medianDurationMs }) => medianDurationMs,
  trouble: ({ judged, troubled }) => (judged === 0 ? null : troubled / judged),
  secrets: ({ secrets }) => secrets,
};
export const breakdownSorts = ["name", ...Object.keys(SORTS)];

/** The lines, sorted. Unknown values are last in both directions. */
export function sorted(lines: readonly BreakdownLine[], { id, desc }: Sort): BreakdownLine[] {
  const value = SORTS[id];
  const byName = (a: BreakdownLine, b: BreakdownLine) => a.name.localeCompare(b.name);
  if (!value) return lines.toSorted((a, b) => (desc ? byName(b, a) : byName(a, b)));
  return lines.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return x === y ? byName(a, b) : x === null ? 1 : -1;
    return (desc ? y - x : x - y) || byName(a, b);
  });
}

const noPair = <Missing reason="No attempt reported tokens both before and after the compaction." />;

const HEADS = { model: "Model", agent: "Agent", reason: "Reason" } as const;

const columnsOf = (by: GroupBy, hrefOf: (name: string) => string): Column<BreakdownLine>[] => [
  {
    id: "name",
    header: HEADS[by],
    cell: ({ name }) => (
      <Link href={hrefOf(name || UNNAMED)} className="truncate rounded-sm hover:underline">
        {name || <span className="text-muted italic">{by === "model" ? "no model known" : `no ${by} reported`}</span>}
      </Link>
    ),
    value: ({ name }) => name,
    grow: true,
    width: 170,
    sortable: true,
    fixed: true,
    priority: 1,
  },
  ...MEASURES,
];

const MEASURES: readonly Column<BreakdownLine>[] = [
  {
    id: "attempts",
    header: "Attempts",
    cell: ({ attempts, vetoed }) => (
      <>
        {formatCount(attempts)}
        {vetoed > 0 ? <span className="text-deny">{` (${formatCount(vetoed)} blocked)`}</span> : null}
      </>
    ),
    value: ({ attempts }) => attempts,
    width: 130,
    align: "right",
    sortable: true,
  },
  {
    id: "before",
    header: "Before",
    hint: "Median number of context tokens before the compaction.",
    cell: ({ medianBefore }) =>
      medianBefore === null ? <Missing reason="No attempt reported token counts." /> : formatTokens(medianBefore),
    value: ({ medianBefore }) => medianBefore,
    width: 84,
    align: "right",
    sortable: true,
  },
  {
    id: "after",
    header: "After",
    hint: "Median number of context tokens of the first model call after the compaction.",
    cell: ({ medianAfter }) =>
      medianAfter === null ? (
        <Missing reason="No model call after a compaction reported its usage." />
      ) : (
        formatTokens(medianAfter)
      ),
    value: ({ medianAfter }) => medianAfter,
    width: 84,
    align: "right",
    sortable: true,
  },
  {
    id: "ratio",
    header: "Left",
    hint: "Median share of context tokens that remain after a compaction. Counts only attempts that reported the tokens before and after.",
    cell: ({ medianRatio }) => (medianRatio === null ? noPair : `${Math.round(medianRatio * 100)} %`),
    value: ({ medianRatio }) => medianRatio,
    width: 72,
    align: "right",
    sortable: true,
  },
  {
    id: "took",
    header: "Took",
    hint: "Median duration of the applied compactions.",
    cell: ({ medianDurationMs }) =>
      medianDurationMs === null ? <Missing reason="No compaction was applied." /> : formatDuration(medianDurationMs),
    value: ({ medianDurationMs }) => medianDurationMs,
    width: 80,
    align: "right",
    sortable: true,
  },
  {
    id: "trouble",
    header: "Trouble after",
    hint: "Share of attempts with more failed calls, errors, loops or repeated questions afterwards than before. Counts only attempts that three or more turns followed.",
    cell: (line) => <Trouble line={line} />,
    value: ({ judged, troubled }) => (judged === 0 ? null : `${troubled}/${judged}`),
    width: 120,
    align: "right",
    sortable: true,
  },
  {
    id: "secrets",
    header: "Secrets",
    hint: "Share of summaries that contained secrets. The secrets are masked in stored summaries.",
    cell: ({ secrets, leaking, summaries }) =>
      summaries === 0 ? (
        <Missing reason="No summary." />
      ) : (
        <span className={secrets > 0 ? "text-deny" : "text-faint"}>
          {`${formatCount(leaking)} of ${formatCount(summaries)}`}
        </span>
      ),
    value: ({ secrets }) => secrets,
    width: 92,
    align: "right",
    sortable: true,
  },
];

function Trouble({ line: { judged, troubled, before, after } }: { line: BreakdownLine }) {
  if (judged === 0) return <Missing reason="Not enough data: fewer than three turns followed each attempt." />;
  const parts = rates.map(
    ({ what, of, label }) =>
      `${label}: ${formatShare(before[what], before[of]) ?? "—"} before, ${formatShare(after[what], after[of]) ?? "—"} after`,
  );
  return (
    <Tooltip content={parts.join("\n")}>
      <span className={troubled > 0 ? "text-error" : ""}>
        {formatCount(troubled)} of {formatCount(judged)}
      </span>
    </Tooltip>
  );
}
