/**
 * The calendar of a workspace: the zone whose midnights begin its days and months. A change takes effect with the first
 * day that begins after it, and no day that has begun ever changes (docs/adr/0055-days-in-the-workspaces-time-zone.md).
 */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { REPORT_AHEAD_MINUTES_MAX } from "../dispatches/schema.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Pool, PoolClient } from "../platform/db.ts";
import * as calendar from "./repository.ts";
import type { CalendarView, SetTimeZone, ZoneView } from "./schema.ts";

/**
 * A day that begins sooner than this keeps its zone. Events may be dated this far ahead and are charged on arrival, and
 * the nodes' clocks may differ by a minute. An event charged before the change therefore belongs to the same day after
 * it.
 */
const LEAD_MS = (REPORT_AHEAD_MINUTES_MAX + 1) * 60_000;
/** Topics of the pages that show days or months. */
const TOPICS = ["budgets", "costs", "audit"] as const;

/** The zones of a workspace's days. */
export async function view(db: Database, workspaceId: string, now: Date): Promise<CalendarView> {
  const rows = await calendar.listZones(db.pool, workspaceId);
  const begun = rows.filter(({ starts_at }) => starts_at <= now);
  const next = rows[begun.length];
  const zones: ZoneView[] = [
    { timeZone: "UTC", fromDay: null, startsAt: null },
    ...rows.map((row) => ({ timeZone: row.time_zone, fromDay: row.from_day, startsAt: row.starts_at })),
  ];
  return {
    timeZone: begun.at(-1)?.time_zone ?? "UTC",
    zones,
    next: next
      ? { timeZone: next.time_zone, fromDay: next.from_day, startsAt: next.starts_at, setBy: next.set_by }
      : null,
  };
}

/** Sets the time zone; replaces a pending change. Errors: `invalid_input` for a zone that PostgreSQL does not know. */
export async function setTimeZone(
  { db, bus }: { readonly db: Database; readonly bus: Bus },
  actor: Administrator,
  { timeZone }: SetTimeZone,
  now: Date,
): Promise<void> {
  const { workspaceId } = actor;
  if (!(await calendar.isKnownZone(db.pool, timeZone)))
    throw new AppError("invalid_input", timeZone, {
      says: `The database does not know the time zone ${timeZone}. Choose another city of the same time.`,
      pointer: "/timeZone",
    });
  const after = new Date(now.getTime() + LEAD_MS);
  await announcedTransaction({ db, bus }, workspaceId, TOPICS, async (tx) => {
    await calendar.lockZones(tx, workspaceId);
    const withdrawn = await calendar.removeZonesAfter(tx, workspaceId, after);
    const before = await calendar.findLastZone(tx, workspaceId);
    if (before === timeZone && withdrawn === 0) return;
    const fromDay =
      before === timeZone ? null : await calendar.insertZone(tx, workspaceId, { timeZone, after, by: actor.name });
    await recordAudit(tx, actor, { kind: "time_zone_set", version: 1, by: actor.name, timeZone, before, fromDay });
  });
}

/** A day or a month: the dates of its first and last day, its first instant and the next period's. */
export interface CalendarPeriod {
  readonly first: string;
  readonly last: string;
  readonly from: Date;
  readonly to: Date;
  /** The zone at whose midnight it begins. */
  readonly timeZone: string;
}

/** The day and the month that contain an instant. */
export async function periodsAt(
  db: Pool | PoolClient,
  workspaceId: string,
  at: Date,
): Promise<Record<"day" | "month", CalendarPeriod>> {
  const found = new Map(
    (await calendar.listPeriods(db, workspaceId, at)).map((row) => [
      row.period,
      { first: row.first, last: row.last, from: row.starts_at, to: row.ends_at, timeZone: row.time_zone },
    ]),
  );
  const [day, month] = [found.get("day"), found.get("month")];
  if (!day || !month) throw new AppError("internal", "an instant without a day");
  return { day, month };
}
