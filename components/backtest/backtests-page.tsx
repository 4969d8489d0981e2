"use client";

import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { STATE_TONES, scopeText } from "@/components/backtest/backtest-text";
import { LiveTestForm } from "@/components/backtest/live-test-form";
import { hrefOf, refreshMs } from "@/components/backtest/run-state";
import { StartBacktest } from "@/components/backtest/start-dialog";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { DataTable } from "@/components/ui/table/data-table";
import type { Column } from "@/components/ui/table/types";
import type { BacktestRunView } from "@/server/backtest/run-schema";

const COLUMNS: readonly Column<BacktestRunView>[] = [
  {
    id: "asked",
    header: "Started",
    priority: 1,
    width: 150,
    cell: (run) => (
      <Link className="underline" href={hrefOf(run)}>
        <RelativeTime at={run.askedAt} />
      </Link>
    ),
    value: ({ askedAt }) => askedAt,
  },
  {
    id: "state",
    header: "State",
    width: 110,
    cell: ({ state }) => <Mark tone={STATE_TONES[state]} label={state} />,
    value: ({ state }) => state,
  },
  { id: "scope", header: "Calls", grow: true, cell: (run) => scopeText(run), value: scopeText },
  {
    id: "looser",
    header: "Less strict",
    align: "right",
    width: 90,
    cell: ({ tally }) => formatCount(tally.looser),
    value: ({ tally }) => tally.looser,
  },
  {
    id: "stricter",
    header: "Stricter",
    align: "right",
    width: 90,
    cell: ({ tally }) => formatCount(tally.stricter),
    value: ({ tally }) => tally.stricter,
  },
  {
    id: "text",
    header: "Draft version",
    width: 120,
    cell: ({ isDraft, sha256 }) => (isDraft ? "current draft" : <code>{sha256.slice(0, 12)}</code>),
    value: ({ sha256 }) => sha256,
  },
  { id: "by", header: "By", width: 140, cell: ({ askedBy }) => askedBy, value: ({ askedBy }) => askedBy },
];

/** The backtests of one policy, and the way to start another. */
export function BacktestsPage({ policyId }: { policyId: string }) {
  const trpc = useTRPC();
  const policy = useQuery(trpc.policies.get.queryOptions({ policyId }));
  const runs = useQuery({
    ...trpc.backtest.list.queryOptions({ policyId }),
    refetchInterval: ({ state }) => refreshMs(state.data ?? []),
  });
  const name = policy.data?.name ?? "Policy";
  return (
    <>
      <PageHeader
        title="Backtests"
        crumbs={[
          { label: "Policies", href: "/policies" },
          { label: name, href: `/policies/${policyId}` },
        ]}
      />
      <PageBody>
        <StartBacktest
          policyId={policyId}
          draftVersion={policy.data?.draftVersion}
          hrefOf={(id) => hrefOf({ policyId, id })}
        />
        <LiveTestForm policyId={policyId} />
        <DataTable
          id="backtests"
          label="backtests"
          columns={COLUMNS}
          rows={runs.data ?? []}
          getRowId={({ id }) => id}
          status={runs.status}
          error={runs.error ? failureSentence(runs.error) : undefined}
          onRetry={() => void runs.refetch()}
          height="auto"
          empty={
            <EmptyState icon={History} title="No backtests yet">
              A backtest runs the draft on recorded calls, a live test on new ones. Publish after you have seen what
              changes.
            </EmptyState>
          }
        />
      </PageBody>
    </>
  );
}
