"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FoldVertical } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useMemo } from "react";
import { AttemptDrawer } from "@/components/compactions/attempt-drawer";
import { attemptColumns } from "@/components/compactions/columns";
import { Figures } from "@/components/compactions/figures";
import { attemptsInput, filterKeys } from "@/components/compactions/query";
import { interventionWords, outcomeWords } from "@/components/compactions/words";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLive } from "@/components/trpc/live";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { isEmptyFilter, noFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { DataTable } from "@/components/ui/table/data-table";
import { neighbours } from "@/components/ui/table/hold-rows";
import {
  type AttemptView,
  attemptOutcome,
  type CompactionSummaryView,
  intervention,
  keyText,
} from "@/server/compactions/schema";

/** What was summarised away, why, and what hooks did about it. */
export function CompactionsPage() {
  useLive(["compactions"]);
  const trpc = useTRPC();
  const range = useTimeRange("24h", true);
  const stale = useStaleSentence();
  const [filter, setFilter] = useFilter(filterKeys);
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  const { from, to } = range;
  const input = useMemo(() => attemptsInput({ from, to }, filter), [from, to, filter]);
  const kept = { placeholderData: keepPreviousData };
  const figures = useQuery({ ...trpc.compactions.summary.queryOptions({ from, to }), ...kept });
  const query = useInfiniteQuery(
    trpc.compactions.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.next, ...kept }),
  );
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.attempts) ?? [], [query.data]);
  const fields = useMemo(() => fieldsOf(figures.data, rows), [figures.data, rows]);
  const near = neighbours(rows, keyText, open);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isSearching = rows.length === 0 && hasNextPage;
  useEffect(() => {
    // A rare match may lie deep: a page that held none is followed by the next.
    if (isSearching && !isFetchingNextPage) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, fetchNextPage]);

  const during =
    range.text === "all"
      ? "since the beginning"
      : range.isLive
        ? `in the ${range.label.toLowerCase()}`
        : `in ${range.label}`;
  const show = (key: string | null) =>
    void setOpen(key, { history: key !== null && open !== null ? "replace" : "push" });
  const step = (key: string | null) => (key === null ? undefined : () => show(key));
  return (
    <>
      <PageHeader title="Compactions" range={RANGE} live />
      <PageBody width="fill" className="gap-4 max-sm:overflow-y-auto">
        {figures.isError && !figures.data ? null : <Figures figures={figures.data} during={during} />}
        <DataTable
          id="compactions"
          label="compactions"
          className="max-sm:min-h-96"
          columns={attemptColumns}
          rows={rows}
          getRowId={keyText}
          rowHeight={40}
          status={query.isError ? "error" : query.isPending || isSearching ? "pending" : "success"}
          error={query.isError ? failureSentence(query.error) : null}
          stillWorks="Agents are still answered, and what they compact is recorded."
          onRetry={() => void query.refetch()}
          stale={stale}
          onOpen={(row) => show(keyText(row))}
          openId={open}
          loadMore={{ hasMore: hasNextPage, loading: isFetchingNextPage, onLoadMore: () => void fetchNextPage() }}
          toolbar={
            <FilterBar
              label="compactions"
              fields={fields}
              value={filter}
              onChange={setFilter}
              placeholder="outcome:vetoed reason:threshold, or words of a summary's beginning"
            />
          }
          summary={query.isSuccess && !hasNextPage ? plural(rows.length, "attempt") : null}
          empty={
            isEmptyFilter(filter) ? (
              <EmptyState icon={FoldVertical} title={`No compaction ${during}`}>
                When an agent's context grows too long it is replaced by a summary. Each attempt appears here with its
                reason, its size, what hooks did, and the summary to read, once the agent sends <code>pre_compact</code>
                , <code>before_compaction</code> and <code>after_compaction</code>.
              </EmptyState>
            ) : (
              <EmptyState
                icon={FoldVertical}
                title="No compaction matches"
                action={<Button onClick={() => setFilter(noFilter)}>Clear the filter</Button>}
              >
                Chips of one key mean any of them, different keys all of them. The range is {range.label.toLowerCase()}.
              </EmptyState>
            )
          }
        />
      </PageBody>
      <AttemptDrawer open={open} onClose={() => show(null)} onPrevious={step(near.previous)} onNext={step(near.next)} />
    </>
  );
}

const RANGE = { all: true } as const;

function fieldsOf(figures: CompactionSummaryView | undefined, rows: readonly AttemptView[]): FilterField[] {
  const distinct = (values: readonly string[]) => [...new Set(values)].map((value) => ({ value }));
  return [
    {
      key: "outcome",
      hint: "how it ended",
      values: attemptOutcome.options.map((value) => ({
        value,
        label: outcomeWords[value].label.toLowerCase(),
        ...(figures ? { count: figures[value] } : {}),
      })),
    },
    {
      key: "hook",
      hint: "what hooks did",
      values: intervention.options.map((value) => ({
        value,
        label: interventionWords[value].label.toLowerCase(),
        ...(figures ? { count: figures[value] } : {}),
      })),
    },
    {
      key: "reason",
      hint: "why it began",
      ...(figures
        ? {
            values: figures.reasons
              .filter(({ reason }) => reason !== "")
              .map(({ reason, attempts }) => ({ value: reason, count: attempts })),
          }
        : {}),
    },
    { key: "agent", hint: "whose context", values: distinct(rows.map(({ agentName }) => agentName)) },
    {
      key: "session",
      hint: "one session's attempts",
      values: distinct(rows.map(({ sessionId }) => sessionId).filter(Boolean)),
    },
  ];
}
