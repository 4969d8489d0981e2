"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import { useMemo } from "react";
import { callColumns } from "@/components/judges/call-columns";
import { callsInput, filterKeys } from "@/components/judges/query";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { RecordList } from "@/components/layout/record-list";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { causeWords, type JudgesSummary, judgeCallText } from "@/server/judges/schema";

const CallDrawer = loadWhenOpened(() => import("@/components/judges/call-drawer").then((one) => one.CallDrawer));

interface CallsViewProps {
  range: TimeRangeControl;
  summary: JudgesSummary | undefined;
  stale: string | null;
}

/** Questions one by one, the newest first. */
export function CallsView({ range, summary, stale }: CallsViewProps) {
  const trpc = useTRPC();
  const [filter, setFilter] = useFilter(filterKeys);
  const { from, to } = range;
  const input = useMemo(() => callsInput({ from, to }, filter), [from, to, filter]);
  const query = useInfiniteQuery(
    trpc.judges.calls.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.calls) ?? [], [query.data]);
  const fields = useMemo(() => fieldsOf(summary), [summary]);
  return (
    <RecordList
      id="judge-calls"
      label="judge calls"
      columns={callColumns}
      rows={rows}
      keyOf={judgeCallText}
      query={query}
      stillWorks={<GatewayStatus />}
      stale={stale}
      filter={filter}
      onFilter={setFilter}
      fields={fields}
      placeholder="cause:timeout verdict:deny judge:… model:…, or part of a name"
      summary={query.isSuccess && !query.hasNextPage ? plural(rows.length, "call") : null}
      rangeLabel={range.label}
      icon={Scale}
      noMatch="No call matches"
      empty={
        <EmptyState icon={Scale} title="No judge calls in this range">
          This page lists every call that a hook makes to a model, with the answer, the cost and any failure.
        </EmptyState>
      }
      drawer={(drives) => <CallDrawer {...drives} />}
    />
  );
}

function fieldsOf(summary: JudgesSummary | undefined): FilterField[] {
  const judges = summary?.judges ?? [];
  const models = [...new Set(judges.flatMap((judge) => judge.models))];
  return [
    {
      key: "cause",
      hint: "failure reason",
      values: (summary?.failures ?? []).map(({ cause, calls }) => ({ value: causeWords(cause).label, count: calls })),
    },
    {
      key: "verdict",
      hint: "answer of the judge",
      values: ["allow", "ask", "deny", "context", "nothing", "failed"].map((value) => ({ value })),
    },
    {
      key: "judge",
      hint: "hook",
      values: judges.map(({ hook, ledger }) => ({ value: hook, count: ledger.calls })),
    },
    { key: "model", hint: "model that was called", values: models.map((value) => ({ value })) },
  ];
}
