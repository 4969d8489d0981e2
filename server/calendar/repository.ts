/** Days and months of a workspace. Only PostgreSQL calculates with zones, so that figures and pages always agree. */
import type { Pool, PoolClient, Tx } from "../platform/db.ts";

export interface ZoneRow {
  readonly from_day: string;
  readonly time_zone: string;
  readonly starts_at: Date;
  readonly set_by: string;
}

/** The history of a workspace's zones, the earliest first; before its first row days are UTC. */
export async function listZones(db: Pool | PoolClient, workspaceId: string): Promise<readonly ZoneRow[]> {
  const found = await db.query<ZoneRow>(
    `SELECT from_day::text AS from_day, time_zone, quarterdeck_midnight(time_zone, from_day) AS starts_at, set_by
     FROM workspace_time_zone WHERE workspace_id = $1 ORDER BY workspace_time_zone.from_day`,
    [workspaceId],
  );
  return found.rows;
}

/** Two changes of a workspace's zone wait for each other. */
export async function lockZones(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('time zone ' || ${workspaceId}, 0))`;
}

/** False when PostgreSQL does not know the zone. */
export async function isKnownZone(pool: Pool, timeZone: string): Promise<boolean> {
  const found = await pool.query<{ known: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = $1) AS known",
    [timeZone],
  );
  return found.rows[0]?.known ?? false;
}

/** Takes back the changes of the zone that take effect after an instant; how many. */
export async function removeZonesAfter(tx: Tx, workspaceId: string, at: Date): Promise<number> {
  return tx.$executeRaw`DELETE FROM workspace_time_zone
    WHERE workspace_id = ${workspaceId}::uuid AND quarterdeck_midnight(time_zone, from_day) > ${at}`;
}

/** The zone that the last change leads to. */
export async function findLastZone(tx: Tx, workspaceId: string): Promise<string> {
  const found = await tx.$queryRaw<{ time_zone: string }[]>`
    SELECT quarterdeck_zone_on(${workspaceId}::uuid, 'infinity'::date) AS time_zone`;
  return found[0]?.time_zone ?? "UTC";
}

/**
 * Starts counting days in a zone from the first future day that begins in it after an instant, so that no day that has
 * begun changes and none ends before it begins. Returns that day.
 */
export async function insertZone(
  tx: Tx,
  workspaceId: string,
  { timeZone, after, by }: { readonly timeZone: string; readonly after: Date; readonly by: string },
): Promise<string | null> {
  const found = await tx.$queryRaw<{ from_day: string }[]>`
    INSERT INTO workspace_time_zone (workspace_id, from_day, time_zone, set_by)
    SELECT ${workspaceId}::uuid, day, ${timeZone}, ${by}
    FROM (SELECT quarterdeck_day_of(${workspaceId}::uuid, ${after}::timestamptz) + ahead AS day FROM generate_series(1, 4) AS ahead) AS days
    WHERE quarterdeck_midnight(${timeZone}, day)
      > greatest(${after}::timestamptz, quarterdeck_day_start(${workspaceId}::uuid, day - 1))
    ORDER BY day LIMIT 1 RETURNING from_day::text AS from_day`;
  return found[0]?.from_day ?? null;
}

export interface PeriodRow {
  readonly period: "day" | "month";
  readonly first: string;
  readonly last: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly time_zone: string;
}

/** The day and the month that contain an instant. */
export async function listPeriods(db: Pool | PoolClient, workspaceId: string, at: Date): Promise<readonly PeriodRow[]> {
  const found = await db.query<PeriodRow>({
    name: "calendar_periods",
    text: `WITH today AS (SELECT quarterdeck_day_of($1, $2::timestamptz) AS day), period AS (
             SELECT 'day' AS period, day AS first, day + 1 AS next FROM today
             UNION ALL SELECT 'month', date_trunc('month', day::timestamp)::date,
               (date_trunc('month', day::timestamp) + interval '1 month')::date FROM today
           )
           SELECT period, first::text AS first, (next - 1)::text AS last, quarterdeck_day_start($1, first) AS starts_at,
             quarterdeck_day_start($1, next) AS ends_at, quarterdeck_zone_on($1, first) AS time_zone FROM period`,
    values: [workspaceId, at],
  });
  return found.rows;
}

export interface DayStartRow {
  readonly day: string;
  readonly starts_at: Date;
  readonly time_zone: string;
}

/** The first instants of days, in their order. */
export async function listDayStarts(
  db: Pool | PoolClient,
  workspaceId: string,
  days: readonly string[],
): Promise<readonly DayStartRow[]> {
  const found = await db.query<DayStartRow>({
    name: "calendar_day_starts",
    text: `SELECT day::text AS day, quarterdeck_day_start($1, day) AS starts_at, quarterdeck_zone_on($1, day) AS time_zone
           FROM unnest($2::date[]) WITH ORDINALITY AS asked (day, place) ORDER BY place`,
    values: [workspaceId, days],
  });
  return found.rows;
}

/**
 * The first instants of the days in a range, and of the day after it, from the first zone other than UTC; empty for a
 * workspace that was always in UTC.
 */
export async function listDaysOfZones(
  db: Pool,
  workspaceId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly Omit<DayStartRow, "time_zone">[]> {
  const found = await db.query<Omit<DayStartRow, "time_zone">>({
    name: "calendar_days_of_zones",
    text: `SELECT one.day::date::text AS day, quarterdeck_day_start($1, one.day::date) AS starts_at
           FROM (SELECT min(from_day) AS from_day FROM workspace_time_zone WHERE workspace_id = $1) AS first
           CROSS JOIN LATERAL generate_series(
             greatest(quarterdeck_day_of($1, $2::timestamptz), first.from_day)::timestamp,
             (quarterdeck_day_of($1, $3::timestamptz) + 1)::timestamp, interval '1 day') AS one (day)
           WHERE first.from_day IS NOT NULL ORDER BY 1`,
    values: [workspaceId, from, to],
  });
  return found.rows;
}
