/**
 * A time range as the rollups can answer it: whole minutes, and for long ranges whole hours between minutes at the edges.
 * Exact to the minute, and never more than two hours of minute rows once the range is long.
 */
import type { OverviewRange } from "./schema.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Up to here minutes alone are read. */
const MINUTES_ONLY_MS = 6 * HOUR;

export interface Stretch {
  readonly from: Date;
  readonly to: Date;
  /** Hour rows are read in [hourFrom, hourTo), minute rows before and after. */
  readonly hourFrom: Date;
  readonly hourTo: Date;
}

/** The whole minutes that hold `range`. */
export function stretchOf(range: OverviewRange): Stretch {
  const from = floor(range.from, MINUTE);
  const to = ceil(range.to, MINUTE);
  const isShort = to.getTime() - from.getTime() <= MINUTES_ONLY_MS;
  return isShort
    ? { from, to, hourFrom: to, hourTo: to }
    : { from, to, hourFrom: ceil(from, HOUR), hourTo: floor(to, HOUR) };
}

const WIDTHS = [MINUTE, 2 * MINUTE, 5 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 28 * DAY];
const POINTS_MAX = 75;

export interface Buckets {
  readonly from: Date;
  readonly to: Date;
  readonly bucketMs: number;
  /** Whether hour rows are fine enough. */
  readonly isHourly: boolean;
}

/** The whole buckets that hold `range`: at most some 75, none finer than the rows that are read. */
export function bucketsOf(range: OverviewRange): Buckets {
  const spanMs = range.to.getTime() - range.from.getTime();
  const finest = spanMs <= MINUTES_ONLY_MS ? MINUTE : HOUR;
  const bucketMs = WIDTHS.find((width) => width >= finest && spanMs / width <= POINTS_MAX) ?? 364 * DAY;
  const isHourly = bucketMs >= HOUR;
  return { from: floor(range.from, bucketMs), to: ceil(range.to, bucketMs), bucketMs, isHourly };
}

const floor = (at: Date, unitMs: number): Date => new Date(Math.floor(at.getTime() / unitMs) * unitMs);
const ceil = (at: Date, unitMs: number): Date => new Date(Math.ceil(at.getTime() / unitMs) * unitMs);
