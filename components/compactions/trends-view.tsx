"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FoldVertical } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { TimeSeries } from "@/components/charts/time-series";
import { BreakdownTable, breakdownSorts } from "@/components/compactions/breakdown-table";
import { groupByOf } from "@/components/compactions/query";
import { bucketWords, trendModels } from "@/components/compactions/trend-model";
import { PageBody } from "@/components/layout/page-body";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { useDowntime } from "@/components/layout/use-downtime";
import { useMarks } from "@/components/layout/use-marks";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { printTerm } from "@/components/ui/filter/filter-text";
import { useNow } from "@/components/ui/format/clock";
import { Notice } from "@/components/ui/notice";
import { Card } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { parseSort, printSort } from "@/components/ui/table/sort-text";
import type { GroupBy } from "@/server/compactions/schema";

export interface TrendsViewProps {
  range: TimeRangeControl;
  during: string;
  stale: string | null;
  tabs: ReactNode;
}

/** Compactions over time, by model, agent or reason: how many, how much was left, and what came after. */
export function TrendsView({ range, during, stale, tabs }: TrendsViewProps) {
  const [byText, setBy] = useQueryState("by", parseAsString);
  const [sortText, setSort] = useQueryState("sort", parseAsString);
  const by = groupByOf(byText);
  const sort = useMemo(() => parseSort(sortText, breakdownSorts, { id: "attempts", desc: true }), [sortText]);
  const hrefOf = useAttemptsHref(by);
  const { trend, breakdown, marks, models } = useTrends(range, by);
  const total = breakdown.data?.total;
  const shared = {
    onRange: range.setBetween,
    height: 170,
    error: trend.isError ? failureSentence(trend.error) : null,
    onRetry: () => void trend.refetch(),
    ...marks,
  };
  const per = trend.data ? `per ${bucketWords(trend.data.bucketMs)}` : null;
  return (
    <PageBody>
      {stale ? <Notice kind="warning">{stale}</Notice> : null}
      <div className="flex flex-wrap items-center gap-3">
        {tabs}
        <Segmented
          label="Group by"
          value={by}
          onChange={(next: GroupBy) => void setBy(next === "model" ? null : next)}
          options={GROUPS}
        />
      </div>
      {trend.data?.points.length === 0 && !trend.isPlaceholderData ? (
        <Card className="p-0">
          <EmptyState icon={FoldVertical} title={`No compaction ${during}`}>
            A compaction appears on this page a few seconds after it ends, with the model calls and turns that follow.
          </EmptyState>
        </Card>
      ) : (
        <>
          <TimeSeries
            title="Compactions over time"
            aside={per && `attempts ${per}`}
            model={models?.attempts ?? null}
            {...shared}
          />
          <div className="grid gap-4 lg:grid-cols-2">
            <TimeSeries
              title="Context left"
              kind="lines"
              aside="median share of tokens that remains"
              model={models?.kept ?? null}
              emptyText={`No attempt ${during} reported tokens both before and after the compaction`}
              {...shared}
            />
            <TimeSeries
              title="Trouble after"
              kind="lines"
              aside={total ? `${total.troubled} of ${total.judged} with at least three turns after` : null}
              model={models?.troubled ?? null}
              emptyText={
                total && total.judged > 0
                  ? `0 of ${total.judged} had more trouble than before`
                  : "No compaction was followed by enough turns to compare"
              }
              {...shared}
            />
          </div>
          <BreakdownTable
            by={by}
            breakdown={breakdown.data}
            status={breakdown.status}
            error={breakdown.isError ? failureSentence(breakdown.error) : null}
            onRetry={() => void breakdown.refetch()}
            sort={sort}
            onSort={(next) => void setSort(printSort(next))}
            hrefOf={hrefOf}
          />
        </>
      )}
    </PageBody>
  );
}

/** The compactions of a range over time, and by group. */
function useTrends(range: TimeRangeControl, by: GroupBy) {
  const trpc = useTRPC();
  const { from, to } = range;
  const kept = { placeholderData: keepPreviousData };
  const trend = useQuery({ ...trpc.compactions.trend.queryOptions({ from, to, by }), ...kept });
  const breakdown = useQuery({ ...trpc.compactions.breakdown.queryOptions({ from, to, by }), ...kept });
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(range);
  const marks = useMarks(range);
  const models = useMemo(() => (trend.data ? trendModels(trend.data, nowMs, down) : null), [trend.data, nowMs, down]);
  return { trend, breakdown, marks, models };
}

const GROUPS = [
  { value: "model", label: "by model" },
  { value: "agent", label: "by agent" },
  { value: "reason", label: "by reason" },
] as const satisfies readonly { value: GroupBy; label: string }[];

/** The same range as a list of one group's attempts. */
function useAttemptsHref(by: GroupBy): (name: string) => string {
  const path = usePathname();
  const params = useSearchParams();
  const range = params.get("range");
  return useMemo(
    () => (name) =>
      `${path}?${new URLSearchParams({ ...(range === null ? {} : { range }), q: printTerm({ key: by, value: name }) })}`,
    [path, range, by],
  );
}
