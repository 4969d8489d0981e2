/**
 * A time range as the rollups can answer it: whole minutes, and for long ranges whole hours between minutes at the edges.
 * Exact to the minute, and never more than two hours of minute rows once the range is long.
 */
import type { CostRange } from "./schema.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Up to here minutes alone are read. */
const MINUTES_ONLY_MS = 6 * HOUR;
/** PostgreSQL and JavaScript disagree about the ends of time; nothing was recorded beyond these. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

export interface Stretch {
  readonly from: Date;
  readonly to: Date;
  /** Hour rows are read in [hourFrom, hourTo), minute rows before and after. */
  readonly hourFrom: Date;
  readonly hourTo: Date;
}

/** The whole minutes that hold `range`. */
export function stretchOf(range: CostRange): Stretch {
  const from = Math.floor(clamped(range.from) / MINUTE) * MINUTE;
  const to = Math.max(Math.ceil(clamped(range.to) / MINUTE) * MINUTE, from + MINUTE);
  const isShort = to - from <= MINUTES_ONLY_MS;
  const hourFrom = isShort ? to : Math.ceil(from / HOUR) * HOUR;
  const hourTo = isShort ? to : Math.floor(to / HOUR) * HOUR;
  return { from: new Date(from), to: new Date(to), hourFrom: new Date(hourFrom), hourTo: new Date(hourTo) };
}

function clamped(at: Date): number {
  return Math.min(Math.max(at.getTime(), EARLIEST), LATEST);
}

const WIDTHS = [
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  28 * DAY,
  84 * DAY,
  364 * DAY,
];
const POINTS_MAX = 75;

/** How wide one bar of a series over `spanMs` is: at most 75 of them, none finer than the rows that are read. */
export function bucketMsOf(spanMs: number): number {
  const finest = spanMs <= MINUTES_ONLY_MS ? MINUTE : HOUR;
  const fits = WIDTHS.find((width) => width >= finest && spanMs / width <= POINTS_MAX);
  return fits ?? 364 * DAY;
}
