import { prepareTime, type Span } from "@/components/charts/prepare/time-model";
import type { OverviewPoint, OverviewSeries } from "@/server/overview/schema";

/** The values of one count in every bucket up to now, for a sparkline; null where nothing was recorded. */
export function sparklineValues(
  series: OverviewSeries,
  countOf: (point: OverviewPoint) => number,
  nowMs: number,
  down: readonly Span[] = [],
): (number | null)[] {
  const rows = series.points.map((point) => ({ at: point.at, series: "count", value: countOf(point) }));
  const { from, to, bucketMs } = series;
  const input = { rows, from, to, stepMs: bucketMs, nowMs, down, order: ["count"] };
  const model = prepareTime({ ...input, unit: "count", absent: "zero" });
  return model.buckets.filter(({ at }) => at < nowMs).map(({ values }) => values[0] ?? null);
}
