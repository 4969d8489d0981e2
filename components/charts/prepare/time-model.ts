/**
 * Converts rows of a time series into a model to draw: every bucket of the range in order, the largest series by name,
 * the rest as "other". Missing values stay missing.
 */
import { assignColours, otherColour } from "@/components/charts/prepare/colours";
import type { Unit } from "@/components/charts/prepare/units";

export interface TimeRow {
  /** Start of the bucket. */
  at: Date | string | number;
  series: string;
  /** Null when the value of the bucket is unknown. */
  value: number | bigint | null;
}

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface TimeModelInput {
  rows: readonly TimeRow[];
  from: Date;
  to: Date;
  /** Width of a bucket. */
  stepMs: number;
  unit: Unit;
  /** The meaning of a bucket without a row: `zero` when rows count events, `gap` when nothing was measured. */
  absent: "gap" | "zero";
  /** Buckets that begin after this moment are gaps: they have not happened. */
  nowMs?: number;
  /** Spans without recording: a bucket inside such a span that holds no row is a gap, whatever `absent` says. */
  down?: readonly Span[];
  /** Series drawn by name; the rest are "other". */
  limit?: number;
  /** Colours by series name, for series with their own colours. */
  colours?: Readonly<Record<string, string>>;
  /** Series in this order first, present or not, so that a legend does not jump; the rest by size. */
  order?: readonly string[];
  /** The names as people read them: "deny" as "Denied". */
  labels?: Readonly<Record<string, string>>;
}

export interface Series {
  readonly name: string;
  readonly label: string;
  readonly colour: string;
  /** The sum of the known values. */
  readonly total: number;
}

export interface Bucket {
  readonly at: number;
  /** One value per series, in the order of `series`; null is a gap. */
  readonly values: readonly (number | null)[];
}

export interface TimeModel {
  readonly series: readonly Series[];
  readonly buckets: readonly Bucket[];
  readonly stepMs: number;
  readonly unit: Unit;
  /** No bucket holds a value other than zero. */
  readonly isEmpty: boolean;
  /** Some of its gaps are downtime. */
  readonly hasDowntime: boolean;
}

export const OTHER = "other";

const instantOf = (at: TimeRow["at"]): number => (at instanceof Date ? at : new Date(at)).getTime();

export function prepareTime(input: TimeModelInput): TimeModel {
  const { stepMs, unit, limit = 6, order = [], labels = {} } = input;
  const totals = new Map<string, number>(order.map((name) => [name, 0]));
  for (const row of input.rows) totals.set(row.series, (totals.get(row.series) ?? 0) + Number(row.value ?? 0));
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const names = [...totals.keys()].toSorted(
    (a, b) => rank(a) - rank(b) || (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || a.localeCompare(b),
  );
  const named = names.slice(0, limit);
  const rest = new Set(names.slice(limit));
  const drawn = rest.size > 0 ? [...named, OTHER] : named;

  const cells = new Map<number, Map<string, number | null>>();
  for (const row of input.rows) {
    const at = Math.floor(instantOf(row.at) / stepMs) * stepMs;
    const name = rest.has(row.series) ? OTHER : row.series;
    const bucket = cells.get(at) ?? new Map<string, number | null>();
    const before = bucket.get(name);
    const value = row.value === null ? null : Number(row.value);
    // Known and unknown values have no sum: the sum of the known values is used for both.
    bucket.set(name, before === undefined || before === null ? value : before + (value ?? 0));
    cells.set(at, bucket);
  }

  const buckets: Bucket[] = [];
  let hasDowntime = false;
  const first = Math.floor(input.from.getTime() / stepMs) * stepMs;
  for (let at = first; at < input.to.getTime(); at += stepMs) {
    const cell = cells.get(at);
    const isFuture = input.nowMs !== undefined && at > input.nowMs;
    const isDown = cell === undefined && isWithin(input.down ?? [], at, at + stepMs);
    hasDowntime ||= isDown;
    const absent = input.absent === "zero" && !isFuture && !isDown ? 0 : null;
    buckets.push({
      at,
      values: drawn.map((name) => {
        const value = cell?.get(name);
        return value === undefined ? absent : value;
      }),
    });
  }

  // Colours are assigned over all names: a series keeps its colour when it leaves "other".
  const colours = assignColours(names, input.colours);
  const series = drawn.map((name) => ({
    name,
    label: labels[name] ?? name,
    colour: name === OTHER && rest.size > 0 ? otherColour : (colours.get(name) ?? otherColour),
    total:
      name === OTHER && rest.size > 0 ? sum([...rest].map((each) => totals.get(each) ?? 0)) : (totals.get(name) ?? 0),
  }));
  const isEmpty = buckets.every((bucket) => bucket.values.every((value) => value === null || value === 0));
  return { series, buckets, stepMs, unit, isEmpty, hasDowntime };
}

const isWithin = (spans: readonly Span[], fromMs: number, toMs: number): boolean =>
  spans.some(({ from, to }) => from.getTime() <= fromMs && toMs <= to.getTime());

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** The sum of a bucket's known values; null when it has no known value. */
export function bucketTotal(bucket: Bucket): number | null {
  const known = bucket.values.filter((value) => value !== null);
  return known.length === 0 ? null : sum(known);
}

/** The length of the longest run of consecutive values of a series. */
export function longestRun(buckets: readonly Bucket[], series: number): number {
  let [run, longest] = [0, 0];
  for (const { values } of buckets) {
    run = (values[series] ?? null) === null ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** The model as CSV: one line a bucket, one column a series, gaps left blank. */
export async function timeCsv(model: TimeModel): Promise<string> {
  const { csvText } = await import("@/components/ui/csv");
  const unit = model.unit === "money" ? " (nano-dollars)" : "";
  const head = ["bucket start", ...model.series.map((series) => `${series.label}${unit}`)];
  return csvText([head, ...model.buckets.map((bucket) => [new Date(bucket.at), ...bucket.values])]);
}
