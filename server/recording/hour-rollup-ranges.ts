/** A time range as rollups without minutes answer it: whole hours at its edges, whole days (UTC) in the middle. */
import { chartBucketWidthMs, DAY_MS, finestKeptUnitMs } from "./rollup-ranges.ts";

const HOUR = DAY_MS / 24;
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** Hours in [from, dayFrom) and [dayTo, to), days in [dayFrom, dayTo). */
export interface HourRollupRange {
  readonly from: Date;
  readonly dayFrom: Date;
  readonly dayTo: Date;
  readonly to: Date;
}

/** The whole hours that contain the range; whole days where hours are no longer kept. */
export function hourRollupRangeOf(
  range: { readonly from: Date; readonly to: Date },
  nowMs = Date.now(),
): HourRollupRange {
  const unitOf = (at: Date) => Math.max(finestKeptUnitMs(clamped(at), nowMs), HOUR);
  const from = floor(clamped(range.from), unitOf(range.from));
  const to = Math.max(ceil(clamped(range.to), unitOf(range.to)), from + unitOf(range.from));
  const hasDays = ceil(from, DAY_MS) < floor(to, DAY_MS);
  const at = (ms: number) => new Date(ms);
  return {
    from: at(from),
    dayFrom: at(hasDays ? ceil(from, DAY_MS) : to),
    dayTo: at(hasDays ? floor(to, DAY_MS) : to),
    to: at(to),
  };
}

/**
 * SQL for the rollup rows of a time span, with the parameters of `selectHourRollupsParameters` as $1 to $5; `family`
 * names its tables.
 */
export function selectHourRollupsSql(
  family: "decision" | "hook" | "hook_revision",
  columns: string,
  condition = "true",
): string {
  const part = (unit: string, from: number) => `SELECT ${columns} FROM ${family}_${unit}
    WHERE workspace_id = $1 AND bucket >= $${from} AND bucket < $${from + 1} AND ${condition}`;
  return [part("hour", 2), part("day", 3), part("hour", 4)].join(" UNION ALL ");
}

export const selectHourRollupsParameters = (
  workspaceId: string,
  { from, dayFrom, dayTo, to }: HourRollupRange,
): unknown[] => [workspaceId, from, dayFrom, dayTo, to];

const floor = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs;
const ceil = (at: number, unitMs: number): number => Math.ceil(at / unitMs) * unitMs;
const clamped = (at: Date): number => Math.min(Math.max(at.getTime(), EARLIEST), LATEST);

export interface HourBuckets {
  readonly from: Date;
  readonly to: Date;
  readonly bucketMs: number;
  /** The rollup that is just fine enough. */
  readonly unit: "hour" | "day";
}

/** The whole bars that hold a range, none narrower than an hour. */
export function hourChartBucketsOf(range: { readonly from: Date; readonly to: Date }, nowMs = Date.now()): HourBuckets {
  const [fromMs, toMs] = [clamped(range.from), clamped(range.to)];
  const bucketMs = Math.max(chartBucketWidthMs(toMs - fromMs), finestKeptUnitMs(fromMs, nowMs), HOUR);
  const unit = bucketMs >= DAY_MS ? "day" : "hour";
  return { from: new Date(floor(fromMs, bucketMs)), to: new Date(ceil(toMs, bucketMs)), bucketMs, unit };
}
