/** The table of watched judges: schedules, limits and halts. */
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { WatchSettings } from "./schema.ts";

export interface WatchRow extends Omit<WatchSettings, "nanoMax"> {
  readonly nanoMax: string | null;
  readonly haltedAt: Date | null;
  /** The run that halted the judge. */
  readonly haltedByCheck: string | null;
}
const WATCH = `is_on AS "isOn", minute, recall_min AS "recallMin", false_alarms_max AS "falseAlarmsMax", flips_max AS "flipsMax",
  halts, nano_max AS "nanoMax", halted_at AS "haltedAt", halted_by_check AS "haltedByCheck"`;

export async function find(
  client: Pick<Pool, "query">,
  workspaceId: string,
  promptId: string,
): Promise<WatchRow | null> {
  const found = await client.query<WatchRow>(
    `SELECT ${WATCH} FROM judge_watch WHERE workspace_id = $1 AND prompt_id = $2`,
    [workspaceId, promptId],
  );
  return found.rows[0] ?? null;
}

/** A scheduled time that has passed today gets no run. */
export async function put(
  client: PoolClient,
  workspaceId: string,
  promptId: string,
  { isOn, minute, recallMin, falseAlarmsMax, flipsMax, halts, nanoMax }: WatchSettings,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<void> {
  await client.query(
    `INSERT INTO judge_watch (workspace_id, prompt_id, is_on, minute, recall_min, false_alarms_max, flips_max, halts, nano_max,
       updated_by, planned_at, checked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
     ON CONFLICT (workspace_id, prompt_id) DO UPDATE SET is_on = excluded.is_on, minute = excluded.minute,
       recall_min = excluded.recall_min, false_alarms_max = excluded.false_alarms_max, flips_max = excluded.flips_max,
       halts = excluded.halts, nano_max = excluded.nano_max, updated_by = excluded.updated_by, planned_at = excluded.planned_at`,
    [workspaceId, promptId, isOn, minute, recallMin, falseAlarmsMax, flipsMax, halts, nanoMax, by, at],
  );
}

/** False when the judge was halted before. */
export async function halt(client: PoolClient, workspaceId: string, promptId: string, check: string): Promise<boolean> {
  const done = await client.query(
    `UPDATE judge_watch SET halted_at = now(), halted_by_check = $3
     WHERE workspace_id = $1 AND prompt_id = $2 AND is_on AND halts AND halted_at IS NULL`,
    [workspaceId, promptId, check],
  );
  return done.rowCount === 1;
}

/** False when the judge is not halted. */
export async function resume(client: PoolClient, workspaceId: string, promptId: string): Promise<boolean> {
  const done = await client.query(
    `UPDATE judge_watch SET halted_at = NULL, halted_by_check = NULL
     WHERE workspace_id = $1 AND prompt_id = $2 AND halted_at IS NOT NULL`,
    [workspaceId, promptId],
  );
  return done.rowCount === 1;
}

export interface DueWatchRow {
  readonly workspaceId: string;
  readonly promptId: string;
  readonly minute: number;
  readonly plannedAt: Date;
}

/** Takes watches that were last checked before the instant: no other node takes them before the next one. */
export async function claim(pool: Pool, before: Date, now: Date, limit: number): Promise<DueWatchRow[]> {
  const found = await pool.query<DueWatchRow>(
    `UPDATE judge_watch SET checked_at = $2 WHERE (workspace_id, prompt_id) IN (
       SELECT workspace_id, prompt_id FROM judge_watch WHERE is_on AND checked_at <= $1
       ORDER BY checked_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING workspace_id AS "workspaceId", prompt_id AS "promptId", minute, planned_at AS "plannedAt"`,
    [before, now, limit],
  );
  return found.rows;
}

/** The newest scheduled instant that is not after `now`. A day counts in the zone of that day. */
export async function findScheduled(pool: Pool, workspaceId: string, minute: number, now: Date): Promise<Date | null> {
  const found = await pool.query<{ at: Date | null }>(
    `SELECT max(instant.at) AS at
     FROM (SELECT quarterdeck_day_of($1, $3::timestamptz) - back AS day FROM generate_series(0, 1) AS back) AS one
     CROSS JOIN LATERAL (SELECT (one.day::timestamp + make_interval(mins => $2))
       AT TIME ZONE quarterdeck_zone_on($1, one.day) AS at) AS instant
     WHERE instant.at <= $3`,
    [workspaceId, minute, now],
  );
  return found.rows[0]?.at ?? null;
}

export async function notePlanned(client: PoolClient, workspaceId: string, promptId: string, at: Date): Promise<void> {
  await client.query(
    "UPDATE judge_watch SET planned_at = greatest(planned_at, $3) WHERE workspace_id = $1 AND prompt_id = $2",
    [workspaceId, promptId, at],
  );
}

interface NewestAnswerRow {
  readonly place: number;
  readonly hooks: string;
}

/** The newest live answer to a hook with this label since an instant; null without one. Kept verdicts do not count. */
export async function findNewestAnswer(
  pool: Pool,
  workspaceId: string,
  label: string,
  since: Date,
): Promise<NewestAnswerRow | null> {
  const found = await pool.query<NewestAnswerRow>(
    `SELECT call.place, dispatch.hooks FROM (
       SELECT occurred_at, dispatch_id, place FROM judge_call
       WHERE workspace_id = $1 AND label = $2 AND occurred_at > $3 AND cause = '' AND provider <> '(cache)'
       ORDER BY occurred_at DESC LIMIT 1) AS call
     JOIN dispatch ON dispatch.workspace_id = $1 AND dispatch.occurred_at = call.occurred_at AND dispatch.id = call.dispatch_id`,
    [workspaceId, label, since],
  );
  return found.rows[0] ?? null;
}

/** The zone of the workspace's present day. */
export async function findZone(pool: Pool, workspaceId: string): Promise<string> {
  const found = await pool.query<{ zone: string }>(
    "SELECT quarterdeck_zone_on($1, quarterdeck_day_of($1, now())) AS zone",
    [workspaceId],
  );
  return found.rows[0]?.zone ?? "UTC";
}
