/** Charts of the decisions of a range, each kind with its own scale; and counts for sparklines. */
import { prepareTime, type Span, type TimeModel, type TimeRow } from "@/components/charts/prepare/time-model";
import { toneLook } from "@/components/ui/tone";
import type { OverviewPoint, OverviewSeries } from "@/server/overview/schema";

const DECISIONS = ["denied", "asked", "allowed"] as const;
type Decision = (typeof DECISIONS)[number];

const labels: Record<Decision, string> = {
  denied: "Denied by policy",
  asked: "Sent to a person",
  allowed: "Allowed or sent for approval by policy",
};
const colours: Record<Decision, string> = {
  denied: toneLook.deny.css,
  asked: toneLook.ask.css,
  allowed: toneLook.allow.css,
};

/** Policy decisions, and the calls that agents put before a person. Events that need no decision are in none. */
export function decisionsOf({
  gates,
  gatesWithoutOpinion,
  gateDenied,
  prompted,
}: OverviewPoint): Record<Decision, number> {
  // Some denials belong to events without a tool call.
  return { denied: gateDenied, asked: prompted, allowed: Math.max(0, gates - gatesWithoutOpinion - gateDenied) };
}

export function decisionModel(series: OverviewSeries, nowMs: number, down: readonly Span[] = []): TimeModel {
  const rows = series.points.flatMap((point): TimeRow[] => {
    const values = decisionsOf(point);
    return DECISIONS.map((decision) => ({ at: point.at, series: decision, value: values[decision] }));
  });
  const { from, to, bucketMs } = series;
  const input = { rows, from, to, stepMs: bucketMs, nowMs, down, colours, labels };
  return prepareTime({ ...input, unit: "count", absent: "zero", order: DECISIONS });
}

/** The values of one count in every bucket up to now, for a sparkline; null where nothing was recorded. */
export function sparkOf(
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

const MINUTE = 60_000;

/** The length of time of one bar: "minute", "5 minutes", "hour". */
export function barDurationText(bucketMs: number): string {
  const units = [
    [24 * 60 * MINUTE, "day"],
    [60 * MINUTE, "hour"],
    [MINUTE, "minute"],
  ] as const;
  const [size, word] = units.find(([size]) => bucketMs % size === 0) ?? [MINUTE, "minute"];
  return bucketMs === size ? word : `${bucketMs / size} ${word}s`;
}
