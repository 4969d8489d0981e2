/** The preview of a rule: the same readings and the same conclusions, over the rollups of the days before. */
import type { Pool } from "../platform/db.ts";
import {
  type AlertStatus,
  holds,
  isRelative,
  nextAlertStatus,
  readingOf,
  relativeChange,
  type Sums,
} from "./condition.ts";
import { columnsOf, familyOf } from "./measure.ts";
import { isCounted, measureOf } from "./measure-schema.ts";
import type { AlertPreview, Condition } from "./schema.ts";
import { type Bucket, listBuckets } from "./sums-repository.ts";

const MINUTE = 60_000;
const DAY = 1_440;
const POINTS_MAX = 336;

/** The narrowest step whose sums are few enough to read whole. */
function stepsOf(windowMinutes: number) {
  if (windowMinutes <= 60) return { width: "minute", stepMinutes: 1, days: 7 } as const;
  if (windowMinutes <= DAY) return { width: "hour", stepMinutes: 60, days: 7 } as const;
  return { width: "day", stepMinutes: DAY, days: 30 } as const;
}

export async function preview(pool: Pool, workspaceId: string, rule: Condition, nowMs: number): Promise<AlertPreview> {
  const { width, stepMinutes, days } = stepsOf(rule.windowMinutes);
  const stepMs = stepMinutes * MINUTE;
  const toMs = Math.floor(nowMs / stepMs) * stepMs;
  const fromMs = toMs - days * DAY * MINUTE;
  const range = { from: new Date(fromMs), to: new Date(toMs), stepMinutes };
  const { source } = measureOf(rule.measure);
  if (isCounted(source)) return { isKept: false, ...range, points: [], firings: [] };

  const columns = columnsOf(rule.measure);
  const steps = rule.windowMinutes / stepMinutes;
  const before = (isRelative(rule) ? 2 : 1) * steps;
  const startMs = fromMs - before * stepMs;
  const family = familyOf(rule);
  const of = { family, columns, filters: rule, width };
  const buckets = await listBuckets(pool, workspaceId, of, { from: new Date(startMs), to: new Date(toMs) });
  const stepsIn = { startMs, stepMs, count: (toMs - startMs) / stepMs, isWhole: family === "denials" };
  const between = summing(buckets, columns, stepsIn);
  const readAt = (end: number) => {
    const now = readingOf(rule.measure, between(end - steps, end));
    if (!isRelative(rule)) return now.value;
    return relativeChange(readingOf(rule.measure, between(end - 2 * steps, end - steps)), now).value;
  };
  const points: { at: Date; value: bigint | null }[] = [];
  for (let end = before + 1; startMs + end * stepMs <= toMs; end += 1)
    points.push({ at: new Date(startMs + end * stepMs), value: readAt(end) });
  const size = Math.ceil(points.length / POINTS_MAX);
  const drawn = { points: thinned(points, rule, size), stepMinutes: stepMinutes * size };
  return { isKept: true, ...range, ...drawn, firings: firingsOf(points, rule) };
}

interface Steps {
  readonly startMs: number;
  readonly stepMs: number;
  readonly count: number;
  /** True if a step without a bucket is a known zero. */
  readonly isWhole: boolean;
}

/** Sums over any stretch of steps, each in constant time. */
function summing(
  buckets: readonly Bucket[],
  columns: readonly string[],
  { startMs, stepMs, count, isWhole }: Steps,
): (from: number, to: number) => Sums {
  const byStep = new Map(buckets.map((bucket) => [(bucket.atMs - startMs) / stepMs, bucket]));
  const running = (value: (bucket: Bucket) => bigint) => {
    const totals = [0n];
    let total = 0n;
    for (let step = 0; step < count; step += 1) {
      const bucket = byStep.get(step);
      if (bucket) total += value(bucket);
      totals.push(total);
    }
    return totals;
  };
  const cells = running((bucket) => bucket.cells);
  const totals = new Map(columns.map((column) => [column, running((bucket) => bucket.of(column))]));
  const over = (values: readonly bigint[] | undefined, from: number, to: number) =>
    (values?.[to] ?? 0n) - (values?.[from] ?? 0n);
  return (from, to) => ({
    cells: isWhole ? 1n : over(cells, from, to),
    of: (column) => over(totals.get(column), from, to),
  });
}

type Point = AlertPreview["points"][number];

function firingsOf(points: readonly Point[], rule: Condition): AlertPreview["firings"] {
  const firings: { from: Date; to: Date | null }[] = [];
  let standing: AlertStatus = { state: "no_data", sinceMs: 0, isTold: false };
  let lastMs: number | null = null;
  for (const { at, value } of points) {
    const atMs = at.getTime();
    // Steps wider than a minute are not gaps: the preview has no data in between.
    const after = nextAlertStatus(standing, holds(rule, value), {
      atMs,
      lastMs: lastMs === null ? null : atMs,
      forMinutes: rule.forMinutes,
    });
    const isTold = after.state === "firing" || (after.state !== "ok" && standing.isTold);
    if (isTold && !standing.isTold) firings.push({ from: at, to: null });
    const open = firings.at(-1);
    if (!isTold && standing.isTold && open) open.to = at;
    standing = { ...after, isTold };
    lastMs = atMs;
  }
  return firings;
}

/**
 * Thins the points: of each `size` neighbours it keeps the one nearest to firing, so a peak that fires is never lost.
 */
function thinned(points: readonly Point[], { comparison }: Condition, size: number): Point[] {
  const sign = comparison === "above" || comparison === "rises_by" ? 1n : -1n;
  const nearer = (a: Point, b: Point) =>
    b.value === null || (a.value !== null && (b.value - a.value) * sign <= 0n) ? a : b;
  const kept: Point[] = [];
  for (let from = 0; from < points.length; from += size) {
    const some = points.slice(from, from + size);
    const [first] = some;
    if (first) kept.push({ at: first.at, value: some.reduce(nearer).value });
  }
  return kept;
}
