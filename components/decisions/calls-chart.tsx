"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { prepareTime, type Span, type TimeModel, type TimeRow } from "@/components/charts/prepare/time-model";
import { TimeSeries } from "@/components/charts/time-series";
import { outcomeLabel } from "@/components/decisions/outcome-words";
import { useDowntime } from "@/components/layout/use-downtime";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { usePaceWords } from "@/components/trpc/use-pace-words";
import { useNow } from "@/components/ui/format/clock";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { toneLook } from "@/components/ui/tone";
import { CALL_OUTCOMES, type CallOutcome, OUTCOME_LOOKS } from "@/server/decisions/call-outcome-schema";
import { READ_AGAIN_MS } from "@/server/decisions/live-calls/schema";
import {
  type CallSeries,
  COUNTED_DECISIONS_MAX,
  type DecisionFilters,
  type DecisionRange,
} from "@/server/decisions/schema";

const ofOutcomes = (of: (outcome: CallOutcome) => string): Record<string, string> =>
  Object.fromEntries(CALL_OUTCOMES.map((outcome) => [outcome, of(outcome)]));
const LABELS = ofOutcomes(outcomeLabel);
const COLOURS = ofOutcomes((outcome) => toneLook[OUTCOME_LOOKS[outcome].tone].css);

function callsModel(
  { from, to, bucketMs, since, points }: CallSeries,
  nowMs: number,
  down: readonly Span[],
): TimeModel {
  const rows: TimeRow[] = points.map(({ at, outcome, count }) => ({ at, series: outcome, value: count }));
  return prepareTime({
    rows: since === null ? rows : [...rows, ...uncounted(from, since, bucketMs)],
    ...{ from, to, nowMs, down },
    stepMs: bucketMs,
    unit: "count",
    absent: "zero",
    order: CALL_OUTCOMES,
    colours: COLOURS,
    labels: LABELS,
  });
}

/** Buckets before the earliest decision that was read are unknown, and not zero. */
function uncounted(from: Date, since: Date, bucketMs: number): TimeRow[] {
  const first = Math.floor(from.getTime() / bucketMs) * bucketMs;
  const count = Math.max(0, Math.floor((since.getTime() - first) / bucketMs));
  return Array.from({ length: count }, (_, at) => first + at * bucketMs).flatMap((at) =>
    CALL_OUTCOMES.map((outcome) => ({ at, series: outcome, value: null })),
  );
}

export interface CallsChartProps {
  range: DecisionRange;
  /** False where no new calls are shown. */
  isLive: boolean;
  filters: DecisionFilters;
  onRange: (from: Date, to: Date) => void;
}

/** The calls that the filter finds, by outcome over time; a stretch drawn on it becomes the range. */
export function CallsChart({ range, isLive, filters, onRange }: CallsChartProps) {
  const trpc = useTRPC();
  const { from, to } = range;
  const isFiltered = Object.values(filters).some((values) => values.length > 0);
  const { data, isError, error, refetch } = useQuery({
    ...trpc.decisions.callSeries.queryOptions({ range: { from, to }, filters }),
    placeholderData: keepPreviousData,
    // Viewers rarely share a filter, and an answer reads thousands of decisions.
    meta: isFiltered ? { refreshEveryMs: READ_AGAIN_MS } : {},
  });
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(range);
  const pace = usePaceWords(isLive, READ_AGAIN_MS);
  const model = useMemo(() => (data ? callsModel(data, nowMs, down) : null), [data, nowMs, down]);
  return (
    <div className="shrink-0 pb-3 max-sm:hidden">
      <TimeSeries
        title="Calls by outcome"
        aside={data ? <Counted series={data} pace={isFiltered && pace ? `updated ${pace}` : null} /> : null}
        model={model}
        onRange={onRange}
        height={80}
        emptyText="No matching calls in this range"
        error={isError ? failureSentence(error) : null}
        onRetry={() => void refetch()}
      />
    </div>
  );
}

interface CountedProps {
  series: CallSeries;
  pace: string | null;
}

function Counted({ series: { points, since }, pace }: CountedProps) {
  // The list states its number itself, unless not all of the range is counted.
  if (since === null) return pace;
  const calls = points.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {plural(calls, "call")} since <RelativeTime at={since} look="clock" />, among the newest{" "}
      {formatCount(COUNTED_DECISIONS_MAX)} decisions{pace === null ? "" : `, ${pace}`}
    </>
  );
}
