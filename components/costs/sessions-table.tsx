"use client";

import { CornerDownRight, ListTree } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Amount } from "@/components/costs/amount";
import { sortedTrees } from "@/components/costs/sort-order";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { SessionTitle } from "@/components/layout/session-title";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatTokens, plural } from "@/components/ui/format/count";
import { exactMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column, Sort, TableStatus } from "@/components/ui/table/types";
import type { SessionCostsView, SessionCostView } from "@/server/costs/schema";
import { timelineHref } from "@/server/sessions/schema";

export interface SessionsTableProps {
  costs: SessionCostsView | undefined;
  status: TableStatus;
  error: string | null;
  onRetry: () => void;
  stale: string | null;
  sort: Sort;
  onSort: (sort: Sort) => void;
  during: string;
  /** The page's address showing the calls of one session. */
  hrefOf: (sessionId: string) => string;
  filter: ReactNode;
  isFiltered: boolean;
}

/** Sessions active in the range, each with the cost of its whole life; sub-sessions are below their parents. */
export function SessionsTable({
  costs,
  status,
  error,
  onRetry,
  stale,
  sort,
  onSort,
  during,
  hrefOf,
  filter,
  isFiltered,
}: SessionsTableProps) {
  const columns = useMemo(() => columnsOf(hrefOf), [hrefOf]);
  const rows = useMemo(() => sortedTrees(costs?.sessions ?? [], sort), [costs, sort]);
  const roots = rows.filter(({ depth }) => depth === 0).length;
  const loose = costs?.withoutSession;
  return (
    <DataTable
      id="costs-by-session"
      label="sessions"
      columns={columns}
      rows={rows}
      getRowId={rowId}
      status={status}
      error={error}
      stillWorks={<GatewayStatus />}
      onRetry={onRetry}
      stale={stale}
      sort={sort}
      onSort={onSort}
      toolbar={
        <div className="flex flex-col gap-2">
          {filter}
          <p className="text-muted text-sm">
            Sessions active {during}. Amounts with sub-sessions include all levels.
            {loose && loose.calls > 0
              ? ` ${plural(loose.calls, "call")} (${exactMoney(loose.nano)}) without a session.`
              : ""}
            {costs?.isCut ? ` Only the newest ${formatCount(500)} are listed.` : ""}
          </p>
        </div>
      }
      summary={costs ? plural(roots, "session") : null}
      empty={
        isFiltered ? (
          <EmptyState icon={ListTree} title="No session matches">
            No session of these agents made a model call {during}.
          </EmptyState>
        ) : (
          <EmptyState icon={ListTree} title={`No session reported a model call ${during}`}>
            A session appears after its first <code>after_llm_call</code>. A <code>subagent_stop</code> links a
            sub-session to its parent.
          </EmptyState>
        )
      }
    />
  );
}

const rowId = ({ agentId, sessionId }: SessionCostView) => `${agentId} ${sessionId}`;

const columnsOf = (hrefOf: (sessionId: string) => string): Column<SessionCostView>[] => [
  {
    id: "session",
    header: "Session",
    cell: ({ agentId, sessionId, title, depth }) => (
      <span className="flex min-w-0 items-center gap-1.5" style={{ paddingLeft: Math.min(depth, 6) * 16 }}>
        {depth === 0 ? null : <CornerDownRight aria-label="sub-session" className="size-3 shrink-0 text-faint" />}
        <Link href={hrefOf(sessionId)} className="flex min-w-0 items-baseline gap-1.5 rounded-sm hover:underline">
          <SessionTitle title={title} sessionId={sessionId} />
        </Link>
        <Link href={timelineHref({ agentId, sessionId })} className="link shrink-0 text-sm">
          timeline
        </Link>
      </span>
    ),
    value: ({ sessionId }) => sessionId,
    grow: true,
    width: 300,
    fixed: true,
    priority: 1,
  },
  ...MEASURES,
];

const MEASURES: readonly Column<SessionCostView>[] = [
  {
    id: "agent",
    header: "Agent",
    cell: ({ agentName }) => agentName,
    value: ({ agentName }) => agentName,
    width: 140,
    sortable: true,
  },
  {
    id: "spend",
    header: "Spend",
    hint: "Spend of the session and all its sub-sessions.",
    cell: ({ tree }) => <Amount of={tree} />,
    value: ({ tree }) => exactMoney(tree.nano).replace(/[$,]/g, ""),
    width: 104,
    align: "right",
    sortable: true,
    priority: 1,
  },
  {
    id: "own",
    header: "Own spend",
    hint: "Spend of the session's own calls, without sub-sessions.",
    cell: ({ own, descendants }) =>
      descendants === 0 ? (
        <span className="text-faint">all of it</span>
      ) : own.calls === 0 ? (
        <span className="text-faint">no calls</span>
      ) : (
        <Amount of={own} />
      ),
    value: ({ own }) => exactMoney(own.nano).replace(/[$,]/g, ""),
    width: 116,
    align: "right",
    sortable: true,
  },
  {
    id: "subs",
    header: "Sub-sessions",
    cell: ({ descendants }) => (descendants === 0 ? <span className="text-faint">0</span> : formatCount(descendants)),
    value: ({ descendants }) => descendants,
    width: 104,
    align: "right",
  },
  {
    id: "calls",
    header: "Calls",
    cell: ({ tree }) => formatCount(tree.calls),
    value: ({ tree }) => tree.calls,
    width: 72,
    align: "right",
    sortable: true,
  },
  {
    id: "tokens",
    header: "Tokens",
    cell: ({ tree }) => formatTokens(tree.tokens),
    value: ({ tree }) => tree.tokens,
    width: 84,
    align: "right",
    sortable: true,
  },
  {
    id: "active",
    header: "Last active",
    cell: ({ lastAt }) => <RelativeTime at={lastAt} className="text-muted" />,
    value: ({ lastAt }) => lastAt,
    width: 104,
    sortable: true,
  },
  {
    id: "ended",
    header: "Ended",
    cell: ({ endedAs }) => endedAs?.replaceAll("_", " ") ?? <span className="text-faint">not yet</span>,
    value: ({ endedAs }) => endedAs,
    width: 120,
    priority: 3,
  },
];
