/** The extents of months: where the workspace's time zone has their midnights, and what lies between those and midnights UTC. */
import * as calendar from "../../calendar/index.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";
import { type DayBoundary, dayShiftsOf, utcStartOf } from "../../recording/index.ts";
import { firstDayOf, monthAfter, type ZoneOfMonth } from "./content.ts";
import * as statements from "./repository.ts";
import type { StatementContent } from "./schema.ts";

export interface MonthSums {
  readonly rows: readonly statements.SumRow[];
  /** The time zone of the last month; null if it begins and ends at midnight UTC. */
  readonly zone: ZoneOfMonth | null;
  /** Months with a midnight around which calls are no longer held one by one: UTC's counts there instead, in every sum. */
  readonly inexact: string[];
}

/** The current month. */
export async function runningMonth(db: Pool | PoolClient, workspaceId: string, now: Date): Promise<string> {
  return (await calendar.periodsAt(db, workspaceId, now)).month.first.slice(0, 7);
}

/**
 * The current sums of the months from `first` to `last`; with `isWhole` also those of earlier months, each under its
 * own month.
 */
export async function sumsOf(
  db: Pool | PoolClient,
  workspaceId: string,
  { first, last, isWhole }: { readonly first: string; readonly last: string; readonly isWhole: boolean },
  closed: readonly StatementContent[],
): Promise<MonthSums> {
  const edge = isWhole ? monthAfter(first, -1) : null;
  const found = await boundariesOf(db, workspaceId, { first, last, edge }, closed);
  const needsCalls = dayShiftsOf(found).some(({ unit }) => unit === "row");
  const dropped = needsCalls ? await statements.findDropped(db, workspaceId) : { calls: null, figures: null };
  const isExact = (one: DayBoundary) =>
    dayShiftsOf([one]).every(({ unit, from }) => unit === "hour" || isHeld(from, dropped.calls));
  const boundaries = found.map((one) => (isExact(one) ? one : { ...one, startsAt: one.utcStart }));
  const rows = await statements.listSums(db, workspaceId, {
    from: isWhole ? new Date(0) : utcStartOf(firstDayOf(first)),
    to: utcStartOf(firstDayOf(monthAfter(last))),
    shifts: dayShiftsOf(boundaries),
  });
  const inexact = found
    .filter((one) => !isExact(one))
    .flatMap(({ before, after }) => [before, after])
    .filter((month) => month !== null)
    .filter((month) => isHeld(utcStartOf(firstDayOf(month)), dropped.figures));
  return { rows, zone: zoneOf(boundaries), inexact: [...new Set(inexact)] };
}

const isHeld = (at: Date, droppedBefore: Date | null): boolean => droppedBefore === null || at >= droppedBefore;

type MonthBoundary = DayBoundary & { readonly timeZone: string };

/** The start of each month, and the end of the last one. A closed month keeps the limits with which it was closed. */
async function boundariesOf(
  db: Pool | PoolClient,
  workspaceId: string,
  { first, last, edge }: { readonly first: string; readonly last: string; readonly edge: string | null },
  closed: readonly StatementContent[],
): Promise<MonthBoundary[]> {
  const months: string[] = [];
  for (let month = first; month <= last; month = monthAfter(month)) months.push(month);
  const starts = await calendar.listDayStarts(db, workspaceId, [...months, monthAfter(last)].map(firstDayOf));
  const kept = new Map<string, Date>();
  for (const content of closed) {
    const { from, to } = extentOf(content);
    kept.set(firstDayOf(content.month), from);
    kept.set(firstDayOf(monthAfter(content.month)), to);
  }
  return starts.map(({ day, starts_at, time_zone }, index) => ({
    before: months[index - 1] ?? edge,
    after: months[index] ?? null,
    startsAt: kept.get(day) ?? starts_at,
    utcStart: utcStartOf(day),
    timeZone: time_zone,
  }));
}

function extentOf(content: StatementContent): { readonly from: Date; readonly to: Date } {
  if (content.version === 2) return { from: new Date(content.from), to: new Date(content.to) };
  const { month } = content;
  return { from: utcStartOf(firstDayOf(month)), to: utcStartOf(firstDayOf(monthAfter(month))) };
}

function zoneOf(boundaries: readonly MonthBoundary[]): ZoneOfMonth | null {
  const [start, end] = boundaries.slice(-2);
  if (!start || !end) return null;
  if ([start, end].every(({ startsAt, utcStart }) => startsAt.getTime() === utcStart.getTime())) return null;
  return { timeZone: start.timeZone, from: start.startsAt.toISOString(), to: end.startsAt.toISOString() };
}
