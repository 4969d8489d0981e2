/** Spend over time by model or agent, ready to draw. */
import { otherColour } from "@/components/charts/prepare/colours";
import { prepareTime, type Span, type TimeModel } from "@/components/charts/prepare/time-model";
import { UNNAMED } from "@/components/costs/query";
import type { CostSeriesView } from "@/server/costs/schema";

/** No name of a model begins like this. */
const REST = "\u0000rest";

/**
 * Bars of spend over time. A bucket without calls is zero if a recorder ran. A bucket in which a group made only
 * unpriced calls is a gap, because its cost is unknown.
 */
export function spendModel(series: CostSeriesView, nowMs: number, down: readonly Span[] = []): TimeModel {
  const { from, to, bucketMs, keys, points } = series;
  const rows = points.map(({ at, key, nano, calls, unpriced }) => ({
    at,
    series: key === null ? REST : key === "" ? UNNAMED : key,
    value: unpriced === calls ? null : nano,
  }));
  const hasRest = points.some(({ key, nano }) => key === null && nano > 0n);
  return prepareTime({
    rows: hasRest ? rows : rows.filter((row) => row.series !== REST),
    from,
    to,
    stepMs: bucketMs,
    unit: "money",
    absent: "zero",
    nowMs,
    down,
    limit: 7,
    order: keys.map((key) => (key === "" ? UNNAMED : key)),
    colours: { [REST]: otherColour },
    labels: { [REST]: "others" },
  });
}

const UNITS = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

/** The length of time of one bar: "minute", "3 hours", "day". */
export function barDurationText(bucketMs: number): string {
  const [size, word] = UNITS.find(([size]) => bucketMs % size === 0) ?? [60_000, "minute"];
  return bucketMs === size ? word : `${bucketMs / size} ${word}s`;
}
