"use client";

import { keepPreviousData, skipToken, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FoldVertical } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { attemptColumns } from "@/components/compactions/columns";
import { Figures } from "@/components/compactions/figures";
import { interventionWords, outcomeWords } from "@/components/compactions/labels";
import { attemptsInput, filterKeys, filterOf, filterWord, type View, viewOf } from "@/components/compactions/query";
import { TrendsView } from "@/components/compactions/trends-view";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { RecordList } from "@/components/layout/record-list";
import { duringWords } from "@/components/layout/time-range/range";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { useNextPage } from "@/components/trpc/use-next-page";
import { EmptyState } from "@/components/ui/empty-state";
import { isEmptyFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { useFilter } from "@/components/ui/filter/use-filter";
import { plural } from "@/components/ui/format/count";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Segmented } from "@/components/ui/segmented";
import {
  attemptOutcome,
  type CompactionSummaryView,
  intervention,
  type ListedAttemptView,
} from "@/server/compactions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const AttemptDrawer = loadWhenOpened(() =>
  import("@/components/compactions/attempt-drawer").then((one) => one.AttemptDrawer),
);

/** The compactions, the reasons for them, and what hooks did about them. */
export function CompactionsPage() {
  useLiveQueries(["compactions"]);
  const trpc = useTRPC();
  const range = useTimeRange("24h", true);
  const stale = useStaleSentence();
  const [filter, setFilter] = useFilter(filterKeys);
  const { from, to } = range;
  const input = useMemo(() => attemptsInput({ from, to }, filter), [from, to, filter]);
  const kept = { placeholderData: keepPreviousData };
  const all = useQuery({ ...trpc.compactions.summary.queryOptions({ from, to }), ...kept });
  const filtered = useQuery({
    ...trpc.compactions.summary.queryOptions(isEmptyFilter(filter) ? skipToken : filterOf(input)),
    ...kept,
  });
  const figures = isEmptyFilter(filter) ? all : filtered;
  const { query, rows, isSearching } = useAttempts(input);
  const fields = useMemo(() => fieldsOf(all.data, rows), [all.data, rows]);

  const [viewText, setView] = useQueryState("view", parseAsString.withOptions({ history: "push" }));
  const view = viewOf(viewText);
  const tabs = (
    <Segmented
      label="View"
      value={view}
      onChange={(next) => void setView(next === "attempts" ? null : next)}
      options={VIEWS}
      className="w-fit"
    />
  );

  const during = duringWords(range);
  if (view === "trends")
    return (
      <>
        <PageHeader range={RANGE} live />
        <TrendsView range={range} during={during} stale={stale} tabs={tabs} />
      </>
    );
  return (
    <>
      <PageHeader range={RANGE} live views="compactions" />
      <PageBody width="fill" className="gap-4 max-sm:overflow-y-auto">
        {tabs}
        {figures.isError && !figures.data ? null : <Figures figures={figures.data} during={during} />}
        <RecordList
          id="compactions"
          label="compactions"
          className="max-sm:min-h-96"
          columns={attemptColumns}
          rows={rows}
          keyOf={eventKeyText}
          rowHeight={40}
          query={query}
          isSearching={isSearching}
          stillWorks={<GatewayStatus />}
          stale={stale}
          filter={filter}
          onFilter={setFilter}
          fields={fields}
          placeholder="outcome:blocked reason:threshold, or the start of a summary"
          summary={query.isSuccess && !query.hasNextPage ? plural(rows.length, "attempt") : null}
          rangeLabel={range.label}
          icon={FoldVertical}
          noMatch="No compaction matches"
          empty={
            <EmptyState icon={FoldVertical} title={`No compaction ${during}`}>
              When an agent's context grows too long, a summary replaces it. Each attempt is listed with its reason,
              size, hook results and summary, once the agent sends <code>pre_compact</code>,{" "}
              <code>before_compaction</code> and <code>after_compaction</code>.
            </EmptyState>
          }
          drawer={(drives) => <AttemptDrawer {...drives} />}
        />
      </PageBody>
    </>
  );
}

/** The attempts of a list; it loads further pages until one holds a match. */
function useAttempts(input: ReturnType<typeof attemptsInput>) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.compactions.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.attempts) ?? [], [query.data]);
  const isSearching = rows.length === 0 && query.hasNextPage;
  // A match may be far down: after a page without matches, the next one is loaded.
  useNextPage(query, isSearching);
  return { query, rows, isSearching };
}

const RANGE = { all: true } as const;
const VIEWS = [
  { value: "attempts", label: "Attempts" },
  { value: "trends", label: "Over time" },
] as const satisfies readonly { value: View; label: string }[];

function fieldsOf(figures: CompactionSummaryView | undefined, rows: readonly ListedAttemptView[]): FilterField[] {
  const distinct = (values: readonly string[]) => [...new Set(values)].map((value) => ({ value }));
  return [
    {
      key: "outcome",
      hint: "how it ended",
      values: attemptOutcome.options.map((value) => ({
        value: filterWord(value),
        label: outcomeWords[value].label.toLowerCase(),
        ...(figures ? { count: figures[value] } : {}),
      })),
    },
    {
      key: "hook",
      hint: "what hooks did",
      values: intervention.options.map((value) => ({
        value: filterWord(value),
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
    {
      key: "after",
      hint: "result of the next turns",
      values: [
        { value: "trouble", label: "more trouble than before" },
        { value: "calm", label: "no more trouble than before" },
        { value: "unknown", label: "too few turns to say" },
      ],
    },
    {
      key: "lost",
      hint: "what the summary lost",
      values: [
        { value: "some", label: "files, commands, questions or errors" },
        { value: "none", label: "nothing lost (exact text match)" },
        { value: "unknown", label: "no summary to compare" },
      ],
    },
    {
      key: "model",
      hint: "the agent",
      values: distinct(rows.map(({ joined }) => joined?.modelId ?? "").filter(Boolean)),
    },
    { key: "agent", hint: "the agent", values: distinct(rows.map(({ agentName }) => agentName)) },
    {
      key: "session",
      hint: "one session's attempts",
      values: distinct(rows.map(({ sessionId }) => sessionId).filter(Boolean)),
    },
  ];
}
