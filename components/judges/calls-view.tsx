"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { callColumns } from "@/components/judges/call-columns";
import { CallDrawer } from "@/components/judges/call-drawer";
import { callsInput, filterKeys } from "@/components/judges/query";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { isEmptyFilter, noFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { DataTable } from "@/components/ui/table/data-table";
import { neighbours } from "@/components/ui/table/hold-rows";
import { causeWords, type JudgesSummary, judgeCallText } from "@/server/judges/schema";

interface CallsViewProps {
  range: TimeRangeControl;
  summary: JudgesSummary | undefined;
  stale: string | null;
}

/** Questions one by one, the newest first. */
export function CallsView({ range, summary, stale }: CallsViewProps) {
  const trpc = useTRPC();
  const [filter, setFilter] = useFilter(filterKeys);
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
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
  const near = neighbours(rows, judgeCallText, open);
  const show = (key: string | null) =>
    void setOpen(key, { history: key !== null && open !== null ? "replace" : "push" });
  const step = (key: string | null) => (key === null ? undefined : () => show(key));
  return (
    <>
      <DataTable
        id="judge-calls"
        label="judge calls"
        columns={callColumns}
        rows={rows}
        getRowId={judgeCallText}
        status={query.isError ? "error" : query.isPending ? "pending" : "success"}
        error={query.isError ? failureSentence(query.error) : null}
        stillWorks="Judges are still asked, and what they say is recorded."
        onRetry={() => void query.refetch()}
        stale={stale}
        onOpen={(row) => show(judgeCallText(row))}
        openId={open}
        loadMore={{
          hasMore: query.hasNextPage,
          loading: query.isFetchingNextPage,
          onLoadMore: () => void query.fetchNextPage(),
        }}
        toolbar={
          <FilterBar
            label="judge calls"
            fields={fields}
            value={filter}
            onChange={setFilter}
            placeholder="cause:timeout verdict:deny judge:… model:…, or part of a name"
          />
        }
        summary={query.isSuccess && !query.hasNextPage ? plural(rows.length, "call") : null}
        empty={
          isEmptyFilter(filter) ? (
            <EmptyState icon={Scale} title="No judge was asked in this range">
              Every question a hook puts to a model is listed here, with what it said, what it cost, and why it failed
              when it did.
            </EmptyState>
          ) : (
            <EmptyState
              icon={Scale}
              title="No call matches"
              action={<Button onClick={() => setFilter(noFilter)}>Clear the filter</Button>}
            >
              Chips of one key mean any of them, different keys all of them. The range is {range.label.toLowerCase()}.
            </EmptyState>
          )
        }
      />
      <CallDrawer open={open} onClose={() => show(null)} onPrevious={step(near.previous)} onNext={step(near.next)} />
    </>
  );
}

function fieldsOf(summary: JudgesSummary | undefined): FilterField[] {
  const judges = summary?.judges ?? [];
  const models = [...new Set(judges.flatMap((judge) => judge.models))];
  return [
    {
      key: "cause",
      hint: "why it failed",
      values: (summary?.failures ?? []).map(({ cause, calls }) => ({ value: causeWords(cause).label, count: calls })),
    },
    {
      key: "verdict",
      hint: "what it said",
      values: ["allow", "ask", "deny", "context", "nothing", "failed"].map((value) => ({ value })),
    },
    {
      key: "judge",
      hint: "which hook asked",
      values: judges.map(({ hook, ledger }) => ({ value: hook, count: ledger.calls })),
    },
    { key: "model", hint: "what was asked", values: models.map((value) => ({ value })) },
  ];
}
