"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { Scale, ScrollText } from "lucide-react";
import { useMemo, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { TotalJudgeCost } from "@/components/judges/cost";
import { callsHref } from "@/components/judges/query";
import { UseOfCap } from "@/components/judges/use-of-cap";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { JudgesSummary, JudgeView } from "@/server/judges/schema";

const CapDialog = loadWhenOpened(() => import("@/components/judges/cap-dialog").then((one) => one.CapDialog), "judge");

interface JudgesTableProps {
  summary: UseQueryResult<JudgesSummary, unknown>;
  rangeText: string | null;
  hasConnections: boolean;
}

const NONE: readonly JudgeView[] = [];
const idOf = ({ policy, hook }: JudgeView) => `${policy}\n${hook}`;

/** Each hook that asks a model: its calls, its failures, its cost and its daily cap. */
export function JudgesTable({ summary, rangeText, hasConnections }: JudgesTableProps) {
  const [capping, setCapping] = useState<JudgeView | null>(null);
  const columns = useMemo(() => columnsOf(rangeText, setCapping), [rangeText]);
  const rows = summary.data?.judges ?? NONE;
  return (
    <Section title="Judges" aside={rows.length > 0 ? plural(rows.length, "judge") : null}>
      <DataTable
        id="judges"
        label="judges"
        columns={columns}
        rows={rows}
        getRowId={idOf}
        status={summary.status}
        error={summary.error ? failureSentence(summary.error) : null}
        stillWorks={<GatewayStatus />}
        onRetry={() => void summary.refetch()}
        height="auto"
        rowHeight={40}
        bare
        empty={<NoCalls hasConnections={hasConnections} />}
      />
      <CapDialog judge={capping} onClose={() => setCapping(null)} onSaved={() => void summary.refetch()} />
    </Section>
  );
}

/** The next step to a judge: a prompt. */
function NoCalls({ hasConnections }: Pick<JudgesTableProps, "hasConnections">) {
  return (
    <EmptyState
      icon={Scale}
      title="No judge calls in this range"
      compact
      action={
        <Button asChild>
          <Link href="/policies/prompts">
            <ScrollText aria-hidden /> Write a prompt
          </Link>
        </Button>
      }
    >
      {hasConnections ? "" : "Before you start, connect a model. "}A judge is a prompt that a policy uses: write one,
      try it on recorded calls, and add it to a policy.
    </EmptyState>
  );
}

function columnsOf(rangeText: string | null, onCap: (judge: JudgeView) => void): readonly Column<JudgeView>[] {
  return [
    {
      id: "hook",
      header: "Judge",
      width: 200,
      grow: true,
      priority: 1,
      fixed: true,
      value: (row) => row.hook,
      cell: (row) => (
        <Link className="link truncate" href={callsHref(rangeText, "judge", row.hook)}>
          {row.hook}
        </Link>
      ),
    },
    ...PLAIN_COLUMNS,
    {
      id: "cap",
      header: "Settings",
      width: 104,
      cell: (row) => (
        <PermittedButton
          to="judge:write"
          size="sm"
          onClick={() => onCap(row)}
          aria-label={`Change the settings of the judge ${row.hook}`}
        >
          Change…
        </PermittedButton>
      ),
    },
  ];
}

/** The columns that only show. */
const PLAIN_COLUMNS: readonly Column<JudgeView>[] = [
  {
    id: "policy",
    header: "Policy",
    width: 150,
    value: (row) => row.policy,
    cell: (row) => row.policy || <Missing reason="no policy" />,
  },
  {
    id: "models",
    header: "Model",
    width: 200,
    value: (row) => row.models.join(", "),
    cell: (row) =>
      row.models.length === 0 ? (
        <Missing reason="No calls in this range." />
      ) : (
        <span className="truncate font-mono text-sm">{row.models.join(", ")}</span>
      ),
  },
  {
    id: "calls",
    header: "Calls",
    width: 84,
    align: "right",
    value: (row) => row.ledger.calls,
    cell: (row) => formatCount(row.ledger.calls),
  },
  {
    id: "failed",
    header: "Failed calls",
    width: 104,
    align: "right",
    value: (row) => row.ledger.failed,
    cell: ({ ledger: { failed, calls } }) =>
      failed === 0 ? (
        "0"
      ) : (
        <span className="text-error">
          {formatCount(failed)} <span className="text-muted">({formatShare(failed, calls)})</span>
        </span>
      ),
  },
  {
    id: "spend",
    header: "Spend",
    width: 100,
    align: "right",
    priority: 1,
    value: (row) => row.ledger.nano,
    cell: (row) => <TotalJudgeCost ledger={row.ledger} />,
  },
  { id: "today", header: "Today", width: 180, cell: (row) => <UseOfCap cap={row.cap} today={row.today} /> },
];
