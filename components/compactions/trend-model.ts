/**
 * Charts of compactions over time: their number, the share of the context that remained, and the share followed by
 * trouble.
 */
import { otherColour } from "@/components/charts/prepare/colours";
import { prepareTime, type Span, type TimeModel } from "@/components/charts/prepare/time-model";
import { UNNAMED } from "@/components/compactions/query";
import type { TrendView } from "@/server/compactions/schema";

/** No name of a model, agent or reason begins like this. */
const REST = "\u0000rest";

export interface TrendModels {
  readonly attempts: TimeModel;
  readonly kept: TimeModel;
  readonly troubled: TimeModel;
}

/**
 * A bucket without attempts is a true zero. A share is a gap if no attempt reported the tokens on both sides, or none
 * had enough turns afterwards.
 */
export function trendModels(trend: TrendView, nowMs: number, down: readonly Span[] = []): TrendModels {
  const { from, to, bucketMs, keys, points } = trend;
  const named = (key: string | null) => (key === null ? REST : key === "" ? UNNAMED : key);
  const draw = (
    value: (point: TrendView["points"][number]) => number | null,
    unit: "count" | "percent",
    absent: "zero" | "gap",
  ) =>
    prepareTime({
      rows: points.map((point) => ({ at: point.at, series: named(point.key), value: value(point) })),
      from,
      to,
      stepMs: bucketMs,
      unit,
      absent,
      nowMs,
      down,
      limit: 7,
      order: keys.map(named),
      colours: { [REST]: otherColour },
      labels: { [REST]: "others" },
    });
  return {
    attempts: draw(({ attempts }) => attempts, "count", "zero"),
    kept: draw(({ medianRatio }) => (medianRatio === null ? null : medianRatio * 100), "percent", "gap"),
    troubled: draw(({ judged, troubled }) => (judged === 0 ? null : (troubled / judged) * 100), "percent", "gap"),
  };
}

const UNITS = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

/** The length of time of one bar: "minute", "3 hours", "day". */
export function bucketWords(bucketMs: number): string {
  const [size, word] = UNITS.find(([size]) => bucketMs % size === 0) ?? [60_000, "minute"];
  return bucketMs === size ? word : `${bucketMs / size} ${word}s`;
}
