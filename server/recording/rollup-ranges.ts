/**
 * A time range as the rollups answer it: whole minutes at its edges, whole hours behind them, whole days (UTC) in the
 * middle of a long one. Exact to the minute, and never more rows than two hours of minutes and two days of hours.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;
/**
 * Minutes are kept for five weeks, for hourly charts of recent incidents; a range that begins earlier begins with a
 * whole hour. Hours are kept for thirteen months, to compare a month with the same month a year ago; a range from
 * before then begins and ends with whole days (UTC). Days are kept as long as a workspace keeps its figures.
 */
export const MINUTES_KEPT_DAYS = 35;
export const HOURS_KEPT_DAYS = 400;
/** Up to here minutes alone are read. */
const MINUTES_ONLY_MS = 6 * HOUR;
/** PostgreSQL and JavaScript disagree about the ends of time; nothing was recorded beyond these. */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** Minutes in [from, hourFrom) and [hourTo, to), hours in [hourFrom, dayFrom) and [dayTo, hourTo), days in [dayFrom, dayTo). */
export interface RollupRange {
  readonly from: Date;
  readonly hourFrom: Date;
  readonly dayFrom: Date;
  readonly dayTo: Date;
  readonly hourTo: Date;
  readonly to: Date;
}

/** The finest unit whose rollups are kept for an instant: one day less than they are, since they go once a day. */
export function finestKeptUnitMs(at: number, nowMs: number): number {
  if (at >= nowMs - (MINUTES_KEPT_DAYS - 1) * DAY_MS) return MINUTE;
  return at >= nowMs - (HOURS_KEPT_DAYS - 1) * DAY_MS ? HOUR : DAY_MS;
}

/** The whole minutes that contain the range; whole hours or days where finer units are no longer kept. */
export function rollupRangeOf(range: { readonly from: Date; readonly to: Date }, nowMs = Date.now()): RollupRange {
  const [fromMs, toMs] = [clamped(range.from), clamped(range.to)];
  const [unit, unitOfEnd] = [finestKeptUnitMs(fromMs, nowMs), finestKeptUnitMs(toMs, nowMs)];
  const from = floor(fromMs, unit);
  const to = Math.max(ceil(toMs, unitOfEnd), from + unit);
  const isShort = unit === MINUTE && to - from <= MINUTES_ONLY_MS;
  const hourFrom = isShort ? to : ceil(from, HOUR);
  const hourTo = isShort ? to : floor(to, HOUR);
  const hasDays = !isShort && ceil(hourFrom, DAY_MS) < floor(hourTo, DAY_MS);
  const dayFrom = hasDays ? ceil(hourFrom, DAY_MS) : hourTo;
  const dayTo = hasDays ? floor(hourTo, DAY_MS) : hourTo;
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
export const withoutDayRollups = (stretch: RollupRange): RollupRange => ({
  ...stretch,
  dayFrom: stretch.hourTo,
  dayTo: stretch.hourTo,
});

/**
 * SQL for the rollup rows of a time span, with the parameters of `selectRollupsParameters` as $1 to $7; `family` names
 * its tables. For a second span, the instants begin at parameter `first`.
 */
export function selectRollupsSql(
  columns: string,
  condition = "true",
  family: "rollup" | "judge" | "ledger" | "spend" = "rollup",
  first = 2,
): string {
  const part = (table: string, offset: number) => `SELECT ${columns} FROM ${family}_${table}
    WHERE workspace_id = $1 AND bucket >= $${first + offset} AND bucket < $${first + offset + 1} AND ${condition}`;
  return [part("minute", 0), part("hour", 1), part("day", 2), part("hour", 3), part("minute", 4)].join(" UNION ALL ");
}

export const selectRollupsParameters = (
  workspaceId: string,
  { from, hourFrom, dayFrom, dayTo, hourTo, to }: RollupRange,
) => [workspaceId, from, hourFrom, dayFrom, dayTo, hourTo, to];

const HOURS = [1, 2, 3, 6].map((hours) => hours * HOUR);
const DAYS = [1, 2, 7, 14, 28, 84, 364].map((days) => days * DAY_MS);
const MINUTES = [1, 2, 5, 10].map((minutes) => minutes * MINUTE);
const POINTS_MAX = 75;

/** The width of one bar over `spanMs`: 75 of them at most, and from two and a half weeks on whole days. */
export function chartBucketWidthMs(spanMs: number): number {
  const widths = spanMs <= MINUTES_ONLY_MS ? [...MINUTES, ...HOURS, ...DAYS] : [...HOURS, ...DAYS];
  return widths.find((width) => spanMs / width <= POINTS_MAX) ?? 364 * DAY_MS;
}

/** Bars of one width that hold a range, and the rollup that is just fine enough for them. */
export interface Buckets {
  readonly from: Date;
  readonly to: Date;
  readonly bucketMs: number;
  readonly table: "rollup_minute" | "rollup_hour" | "rollup_day";
}

/** The whole bars that hold the range. */
export function chartBucketsOf(range: { readonly from: Date; readonly to: Date }, nowMs = Date.now()): Buckets {
  const [fromMs, toMs] = [clamped(range.from), clamped(range.to)];
  const bucketMs = Math.max(chartBucketWidthMs(toMs - fromMs), finestKeptUnitMs(fromMs, nowMs));
  const table = bucketMs >= DAY_MS ? "rollup_day" : bucketMs >= HOUR ? "rollup_hour" : "rollup_minute";
  return { from: new Date(floor(fromMs, bucketMs)), to: new Date(ceil(toMs, bucketMs)), bucketMs, table };
}

const floor = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs;
const ceil = (at: number, unitMs: number): number => Math.ceil(at / unitMs) * unitMs;
const clamped = (at: Date): number => Math.min(Math.max(at.getTime(), EARLIEST), LATEST);
