/** Compactions over time and by group, from the joined records. */
import type { Database } from "../platform/db.ts";
import { chartBucketsOf } from "../recording/index.ts";
import type { BreakdownLine, BreakdownView, CompactionTrend, Measures, TrendView } from "./schema.ts";
import { measures } from "./schema.ts";
import * as trends from "./trend-repository.ts";

const KEYS_MAX = 5;
const LINES_MAX = 100;

export async function getTrend(
  db: Database,
  workspaceId: string,
  { from, to, by }: CompactionTrend,
): Promise<TrendView> {
  const whole = chartBucketsOf({ from, to });
  const first = await trends.findFirstAttemptTime(db.pool, workspaceId, whole);
  // A range without a beginning begins with the first attempt; buckets stay on whole hours and days.
  const buckets =
    first !== null && whole.bucketMs > YEARLY_MS ? chartBucketsOf({ from: first, to: latest(first, to) }) : whole;
  const { bucketMs } = buckets;
  const range = { from: buckets.from, to: buckets.to };
  if (first === null) return { ...range, bucketMs, by, keys: [], points: [] };
  const keys = await trends.listLargestGroups(db.pool, workspaceId, range, by, KEYS_MAX);
  const rows = await trends.listTrendPoints(db.pool, workspaceId, range, by, bucketMs, keys);
  const points = rows.map(({ bucket, key, ...figures }) => ({
    at: new Date(range.from.getTime() + bucket * bucketMs),
    key,
    ...figuresOf(figures),
  }));
  return { ...range, bucketMs, by, keys, points };
}

const YEARLY_MS = 84 * 86_400_000;
/** `to` may be a century ahead: a range without an end ends now. */
const latest = (first: Date, to: Date): Date =>
  new Date(Math.max(first.getTime() + 1, Math.min(to.getTime(), Date.now())));

export async function getBreakdown(
  db: Database,
  workspaceId: string,
  { from, to, by }: CompactionTrend,
): Promise<BreakdownView> {
  const range = within({ from, to });
  const rows = await trends.listBreakdownRows(db.pool, workspaceId, range, by, LINES_MAX);
  const [all, ...lines] = rows;
  if (!all || all.attempts === 0) return { ...range, by, lines: [], more: 0, total: null };
  return { ...range, by, lines: lines.map(lineOf), more: Math.max(0, all.groups - lines.length), total: lineOf(all) };
}

function lineOf(row: trends.LineRow): BreakdownLine {
  return {
    name: row.name ?? "",
    ...figuresOf(row),
    vetoed: row.vetoed,
    medianBefore: row.before === null ? null : BigInt(row.before),
    medianAfter: row.after === null ? null : BigInt(row.after),
    medianDurationMs: row.duration === null ? null : Number(row.duration),
    hooksFailed: row.hooks_failed,
    summaries: row.summaries,
    leaking: row.leaking,
    secrets: row.secrets,
    costNano: BigInt(row.cost_nano),
    costsTold: row.costs_told,
    before: sums(row, "before"),
    after: sums(row, "after"),
  };
}

const sums = (row: trends.LineRow, when: "before" | "after"): Measures =>
  measures.parse(Object.fromEntries(measures.keyof().options.map((name) => [name, row[`${when}_${name}`]])));

const figuresOf = ({ attempts, applied, ratio, judged, troubled }: trends.FiguresRow) => ({
  attempts,
  applied,
  medianRatio: ratio,
  judged,
  troubled,
});

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);
const within = ({ from, to }: { from: Date; to: Date }) => {
  const clamped = (at: Date) => new Date(Math.min(Math.max(at.getTime(), EARLIEST), LATEST));
  return { from: clamped(from), to: clamped(to) };
};
