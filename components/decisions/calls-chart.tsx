"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { prepareTime, type Span, type TimeModel } from "@/components/charts/prepare/time-model";
import { TimeSeries } from "@/components/charts/time-series";
import { useDowntime } from "@/components/layout/use-downtime";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useNow } from "@/components/ui/format/clock";
import { formatCount } from "@/components/ui/format/count";
import { toneLook } from "@/components/ui/tone";
import type { CallSeries, DecisionRange } from "@/server/decisions/schema";

const ENDS = ["allowed", "denied", "canceled"] as const;
const LABELS = { allowed: "Allowed", denied: "Denied", canceled: "Canceled" };
const COLOURS = {
  allowed: toneLook.allow.css,
  denied: toneLook.deny.css,
  canceled: toneLook.canceled.css,
};

function callsModel({ from, to, bucketMs, points }: CallSeries, nowMs: number, down: readonly Span[]): TimeModel {
  return prepareTime({
    rows: points.flatMap((point) => ENDS.map((end) => ({ at: point.at, series: end, value: point[end] }))),
    from,
    to,
    stepMs: bucketMs,
    unit: "count",
    absent: "zero",
    nowMs,
    down,
    order: ENDS,
    colours: COLOURS,
    labels: LABELS,
  });
}

export interface CallsChartProps {
  range: DecisionRange;
  onRange: (from: Date, to: Date) => void;
}

/** The final decisions of a range over time; a stretch drawn on it becomes the range. */
export function CallsChart({ range, onRange }: CallsChartProps) {
  const trpc = useTRPC();
  const { from, to } = range;
  const { data, isError, error, refetch } = useQuery({
    ...trpc.decisions.callSeries.queryOptions({ range: { from, to } }),
    placeholderData: keepPreviousData,
  });
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(range);
  const model = useMemo(() => (data ? callsModel(data, nowMs, down) : null), [data, nowMs, down]);
  const sum = (key: "asked" | "deniedByPolicy") => data?.points.reduce((all, point) => all + point[key], 0) ?? 0;
  return (
    <div className="shrink-0 pb-3 max-sm:hidden">
      <TimeSeries
        title="Final decisions"
        aside={
          data
            ? `${formatCount(sum("asked"))} asked a person · ${formatCount(sum("deniedByPolicy"))} denied by policy · all calls, whatever the filter`
            : null
        }
        model={model}
        onRange={onRange}
        height={96}
        emptyText="No agent reported a final decision in this range"
        error={isError ? failureSentence(error) : null}
        onRetry={() => void refetch()}
      />
    </div>
  );
}
