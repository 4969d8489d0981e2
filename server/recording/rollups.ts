/**
 * A time range as the rollups answer it: whole minutes at its edges, whole hours behind them, whole days (UTC) in the
 * middle of a long one. Exact to the minute, and never more rows than two hours of minutes and two days of hours.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Up to here minutes alone are read. */
const MINUTES_ONLY_MS = 6 * HOUR;
/** PostgreSQL and JavaScript disagree about the ends of time; nothing was recorded beyond these. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** Minutes in [from, hourFrom) and [hourTo, to), hours in [hourFrom, dayFrom) and [dayTo, hourTo), days in [dayFrom, dayTo). */
export interface Stretch {
  readonly from: Date;
  readonly hourFrom: Date;
  readonly dayFrom: Date;
  readonly dayTo: Date;
  readonly hourTo: Date;
  readonly to: Date;
}

/** The whole minutes that hold the range. */
export function stretchOf(range: { readonly from: Date; readonly to: Date }): Stretch {
  const from = floor(clamped(range.from), MINUTE);
  const to = Math.max(ceil(clamped(range.to), MINUTE), from + MINUTE);
  const isShort = to - from <= MINUTES_ONLY_MS;
  const hourFrom = isShort ? to : ceil(from, HOUR);
  const hourTo = isShort ? to : floor(to, HOUR);
  const hasDays = !isShort && ceil(hourFrom, DAY) < floor(hourTo, DAY);
  const dayFrom = hasDays ? ceil(hourFrom, DAY) : hourTo;
  const dayTo = hasDays ? floor(hourTo, DAY) : hourTo;
  const at = (ms: number) => new Date(ms);
  return {
    from: at(from),
    hourFrom: at(hourFrom),
    dayFrom: at(dayFrom),
    dayTo: at(dayTo),
    hourTo: at(hourTo),
    to: at(to),
  };
}

/** The same range without day rows, for bars narrower than a day. */
export const withoutDays = (stretch: Stretch): Stretch => ({
  ...stretch,
  dayFrom: stretch.hourTo,
  dayTo: stretch.hourTo,
});

/**
 * SQL for the rollup rows of a stretch, with the parameters of `cellValues` as $1 to $7; `family` names its tables. Of a
 * second stretch the instants begin at parameter `first`.
 */
export function cellsSql(
  columns: string,
  condition = "true",
  family: "rollup" | "judge" | "ledger" = "rollup",
  first = 2,
): string {
  const part = (table: string, offset: number) => `SELECT ${columns} FROM ${family}_${table}
    WHERE workspace_id = $1 AND bucket >= $${first + offset} AND bucket < $${first + offset + 1} AND ${condition}`;
  return [part("minute", 0), part("hour", 1), part("day", 2), part("hour", 3), part("minute", 4)].join(" UNION ALL ");
}

export const cellValues = (workspaceId: string, { from, hourFrom, dayFrom, dayTo, hourTo, to }: Stretch) => [
  workspaceId,
  from,
  hourFrom,
  dayFrom,
  dayTo,
  hourTo,
  to,
];

const HOURS = [1, 2, 3, 6].map((hours) => hours * HOUR);
const DAYS = [1, 2, 7, 14, 28, 84, 364].map((days) => days * DAY);
const MINUTES = [1, 2, 5, 10].map((minutes) => minutes * MINUTE);
const POINTS_MAX = 75;

/** How wide one bar over `spanMs` is: 75 of them at most, and from two and a half weeks on whole days. */
export function bucketMsOf(spanMs: number): number {
  const widths = spanMs <= MINUTES_ONLY_MS ? [...MINUTES, ...HOURS, ...DAYS] : [...HOURS, ...DAYS];
  return widths.find((width) => spanMs / width <= POINTS_MAX) ?? 364 * DAY;
}

/** Bars of one width that hold a range, and the rollup that is just fine enough for them. */
export interface Buckets {
  readonly from: Date;
  readonly to: Date;
  readonly bucketMs: number;
  readonly table: "rollup_minute" | "rollup_hour" | "rollup_day";
}

/** The whole bars that hold the range. */
export function bucketsOf(range: { readonly from: Date; readonly to: Date }): Buckets {
  const [fromMs, toMs] = [clamped(range.from), clamped(range.to)];
  const bucketMs = bucketMsOf(toMs - fromMs);
  const table = bucketMs >= DAY ? "rollup_day" : bucketMs >= HOUR ? "rollup_hour" : "rollup_minute";
  return { from: new Date(floor(fromMs, bucketMs)), to: new Date(ceil(toMs, bucketMs)), bucketMs, table };
}

const floor = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs;
const ceil = (at: number, unitMs: number): number => Math.ceil(at / unitMs) * unitMs;
const clamped = (at: Date): number => Math.min(Math.max(at.getTime(), EARLIEST), LATEST);
