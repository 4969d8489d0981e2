/** The dispatches of a range by what the gate said to them, ready to draw; all of them, or the gate calls alone. */
import { prepareTime, type Span, type TimeModel, type TimeRow } from "@/components/charts/prepare/time-model";
import { toneLook } from "@/components/ui/tone";
import type { OverviewPoint, OverviewSeries } from "@/server/overview/schema";

const OUTCOMES = ["denied", "answered", "open", "other"] as const;
type Outcome = (typeof OUTCOMES)[number];

const labels: Record<Outcome, string> = {
  denied: "Denied by policy",
  answered: "Allowed or asked here",
  open: "Gate without an opinion",
  other: "Events that ask for no verdict",
};
const colours: Record<Outcome, string> = {
  denied: toneLook.deny.css,
  answered: toneLook.allow.css,
  open: toneLook.unknown.css,
  // Quiet: most events ask nothing, and the verdicts are what one looks for.
  other: "var(--line-strong)",
};

/** Each dispatch once. Denials of events that are no gate of their own count as denied. */
export function outcomesOf({
  dispatches,
  gates,
  gatesWithoutOpinion,
  gateDenied,
}: OverviewPoint): Record<Outcome, number> {
  const answered = Math.max(0, gates - gatesWithoutOpinion - gateDenied);
  const other = Math.max(0, dispatches - gatesWithoutOpinion - gateDenied - answered);
  return { denied: gateDenied, answered, open: gatesWithoutOpinion, other };
}

export function dispatchModel(
  series: OverviewSeries,
  show: "gates" | "all",
  nowMs: number,
  down: readonly Span[] = [],
): TimeModel {
  const outcomes = show === "all" ? OUTCOMES : OUTCOMES.filter((outcome) => outcome !== "other");
  const rows = series.points.flatMap((point): TimeRow[] => {
    const values = outcomesOf(point);
    return outcomes.map((outcome) => ({ at: point.at, series: outcome, value: values[outcome] }));
  });
  const { from, to, bucketMs } = series;
  return prepareTime({
    rows,
    from,
    to,
    stepMs: bucketMs,
    unit: "count",
    absent: "zero",
    nowMs,
    down,
    order: outcomes,
    colours,
    labels,
  });
}

/** The values of one count in every bucket up to now, for a sparkline. */
export function sparkOf(series: OverviewSeries, countOf: (point: OverviewPoint) => number, nowMs: number): number[] {
  const byBucket = new Map(series.points.map((point) => [point.at.getTime(), countOf(point)]));
  const values: number[] = [];
  for (let at = series.from.getTime(); at < Math.min(series.to.getTime(), nowMs); at += series.bucketMs)
    values.push(byBucket.get(at) ?? 0);
  return values;
}

const MINUTE = 60_000;

/** The length of time of one bar: "minute", "5 minutes", "hour". */
export function barWords(bucketMs: number): string {
  const units = [
    [24 * 60 * MINUTE, "day"],
    [60 * MINUTE, "hour"],
    [MINUTE, "minute"],
  ] as const;
  const [size, word] = units.find(([size]) => bucketMs % size === 0) ?? [MINUTE, "minute"];
  return bucketMs === size ? word : `${bucketMs / size} ${word}s`;
}
