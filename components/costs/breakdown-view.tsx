"use client";

import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { TimeSeries } from "@/components/charts/time-series";
import { BreakdownTable } from "@/components/costs/breakdown-table";
import { useCallsHref } from "@/components/costs/calls-href";
import { NoCalls } from "@/components/costs/calls-view";
import { CompactionSpend } from "@/components/costs/compaction-spend";
import { Drivers } from "@/components/costs/drivers";
import { HarnessSpend } from "@/components/costs/harness-spend";
import { JudgeSpend } from "@/components/costs/judge-spend";
import { seriesByOf } from "@/components/costs/query";
import { lineSorts } from "@/components/costs/sort-order";
import { barDurationText, spendModel } from "@/components/costs/spend-model";
import { TokenKinds } from "@/components/costs/token-kinds";
import { Totals } from "@/components/costs/totals";
import { Unpriced } from "@/components/costs/unpriced";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { RenewalNotice } from "@/components/layout/renewal-notice";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { useDowntime } from "@/components/layout/use-downtime";
import { useMarks } from "@/components/layout/use-marks";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { Notice } from "@/components/ui/notice";
import { Card, Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { parseSort, printSort } from "@/components/ui/table/sort-text";
import type { CostBreakdownView, CostSummaryView, SeriesBy } from "@/server/costs/schema";

export interface BreakdownViewProps {
  range: TimeRangeControl;
  during: string;
  stale: string | null;
  summary: UseQueryResult<CostSummaryView, unknown>;
  models: UseQueryResult<CostBreakdownView, unknown>;
  agents: UseQueryResult<CostBreakdownView, unknown>;
  tabs: ReactNode;
}

/** The totals of the range: the sum, its course over time, and its breakdown. */
export function BreakdownView({ range, during, stale, summary, models, agents, tabs }: BreakdownViewProps) {
  const hrefOf = useCallsHref();
  const sessionsOf = useCallsHref("sessions");
  const spend = useSpend(range);
  const { input, series, previous } = spend;
  const failed = [summary, series, previous, models, agents].filter((query) => query.isError);
  const again = () => {
    for (const query of failed) void query.refetch();
  };
  const hasNothing = failed.length > 0 && summary.data === undefined;
  const isEmpty = summary.data?.ledger.calls === 0;
  return (
    <PageBody>
      {stale ? <Notice kind="warning">{stale}</Notice> : null}
      {hasNothing ? (
        <ErrorState
          title="The costs could not be loaded"
          reason={failureSentence(failed[0]?.error)}
          stillWorks={<GatewayStatus />}
          onRetry={again}
          retrying={failed.some((query) => query.isFetching)}
        />
      ) : (
        <>
          <RenewalNotice failed={failed} onRetry={again} />
          <div className="flex flex-col gap-3">
            {tabs}
            <Totals summary={summary.data} during={during} isLive={range.isLive} />
          </div>
          {isEmpty ? (
            <Card className="p-0">
              <NoCalls during={during} />
            </Card>
          ) : (
            <>
              <SpendChart spend={spend} onRange={range.setBetween} during={during} />
              <Drivers
                previous={previous.data}
                models={models.data}
                agents={agents.data}
                hrefOf={{ agent: sessionsOf, model: hrefOf }}
              />
              {summary.data && models.data ? (
                <Unpriced ledger={summary.data.ledger} models={models.data} hrefOf={hrefOf} />
              ) : null}
              <div className="grid gap-6 min-[1800px]:grid-cols-2">
                <Lines by="model" query={models} />
                <Lines by="agent" query={agents} />
              </div>
              {summary.data ? (
                <Section title="Tokens by kind" framed>
                  <TokenKinds tokens={summary.data.ledger.tokens} />
                </Section>
              ) : null}
            </>
          )}
          <div className="flex flex-col gap-3">
            {summary.data ? <HarnessSpend ledger={summary.data.harness} href={hrefOf("by", "harness")} /> : null}
            <JudgeSpend input={input} during={during} />
            <CompactionSpend input={input} during={during} />
          </div>
        </>
      )}
    </PageBody>
  );
}

/** The spend over time, and that of the previous period. */
function useSpend({ from, to }: TimeRangeControl) {
  const trpc = useTRPC();
  const [byText, setBy] = useQueryState("by", parseAsString);
  const by = seriesByOf(byText);
  const input = useMemo(() => ({ from, to }), [from, to]);
  const series = useQuery({
    ...trpc.costs.series.queryOptions({ from, to, by }),
    placeholderData: keepPreviousData,
  });
  const previous = useQuery({ ...trpc.costs.previous.queryOptions(input), placeholderData: keepPreviousData });
  const marks = useMarks(input);
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(input);
  const model = useMemo(() => (series.data ? spendModel(series.data, nowMs, down) : null), [series.data, nowMs, down]);
  return { by, setBy, input, series, previous, marks, model };
}

interface SpendChartProps {
  spend: ReturnType<typeof useSpend>;
  onRange: (from: Date, to: Date) => void;
  during: string;
}

function SpendChart({ spend: { by, setBy, series, marks, model }, onRange, during }: SpendChartProps) {
  return (
    <TimeSeries
      title="Spend over time"
      aside={
        <span className="flex items-center gap-3">
          {series.data ? `per ${barDurationText(series.data.bucketMs)}` : null}
          <Segmented
            label="Stacked by"
            value={by}
            onChange={(next: SeriesBy) => void setBy(next === "model" ? null : next)}
            options={STACKS}
          />
        </span>
      }
      model={model}
      {...marks}
      onRange={onRange}
      height={220}
      emptyText={`No priced calls ${during}`}
      error={series.isError ? failureSentence(series.error) : null}
      onRetry={() => void series.refetch()}
    />
  );
}

const STACKS = [
  { value: "model", label: "by model" },
  { value: "agent", label: "by agent" },
] as const;

function Lines({ by, query }: { by: SeriesBy; query: UseQueryResult<CostBreakdownView, unknown> }) {
  const hrefOf = useCallsHref();
  const [text, setText] = useQueryState(`${by}s`, parseAsString);
  const sort = useMemo(() => parseSort(text, lineSorts, { id: "spend", desc: true }), [text]);
  const groupHref = useMemo(() => (name: string) => hrefOf(by, name), [hrefOf, by]);
  return (
    <BreakdownTable
      by={by}
      breakdown={query.data}
      status={query.status}
      error={query.isError ? failureSentence(query.error) : null}
      onRetry={() => void query.refetch()}
      sort={sort}
      onSort={(next) => void setText(printSort(next))}
      hrefOf={groupHref}
    />
  );
}
