/** The results of nightly checks, a row for each workspace and day. */
import type { AuditEntry } from "../audit/entries.ts";
import { auditStatement } from "../audit/record-audit.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import type { DayCheck } from "./schema.ts";

/** Any number will do, as long as every node takes the same one. */
export const LOCK = 7245;

export async function listWorkspaces(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM workspace ORDER BY id");
  return rows.map(({ id }) => id);
}

/** The given days that were never checked, and all days whose last check, before `again`, found differences. */
export async function listDue(
  pool: Pool,
  workspaceId: string,
  days: readonly string[],
  again: Date,
): Promise<string[]> {
  const { rows } = await pool.query<{ day: string }>(
    `SELECT one.day::text AS day FROM unnest($2::date[]) AS one (day) WHERE NOT EXISTS (
       SELECT FROM projection_check AS done WHERE done.workspace_id = $1 AND done.day = one.day)
     UNION SELECT day::text FROM projection_check
     WHERE workspace_id = $1 AND state = 'different' AND checked_at < $3 ORDER BY 1`,
    [workspaceId, days, again],
  );
  return rows.map(({ day }) => day);
}

/** Stores a result, and adds an audit entry when the result is news; a day without events is not news. */
export async function save(client: PoolClient, workspaceId: string, at: Date, check: DayCheck): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  const { day, state, dispatches, differing, older, tables, differences } = check;
  const compared = tables.reduce((sum, table) => sum + table.compared, 0);
  const { rows } = await client.query<{ state: string; differing: number }>(
    `SELECT state, rows_differing::float8 AS differing FROM projection_check WHERE workspace_id = $1 AND day = $2`,
    [workspaceId, day],
  );
  await client.query(
    `INSERT INTO projection_check (workspace_id, day, checked_at, state, dispatches, rows_compared, rows_differing,
       rows_older, differences) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (workspace_id, day) DO UPDATE SET checked_at = excluded.checked_at, state = excluded.state,
       dispatches = excluded.dispatches, rows_compared = excluded.rows_compared,
       rows_differing = excluded.rows_differing, rows_older = excluded.rows_older, differences = excluded.differences`,
    [workspaceId, day, at, state, dispatches, compared, differing, older.rows, JSON.stringify(differences)],
  );
  const [before] = rows;
  const isNews = before ? before.state !== state || before.differing !== differing : dispatches + differing > 0;
  // A seal has its own entry.
  if (!isNews || state === "sealed") return;
  const numbers = { dispatches, compared, differing, older: older.rows };
  const entry: AuditEntry = { kind: "projections_checked", version: 1, day, state, ...numbers };
  await client.query(auditStatement(workspaceId, entry));
}

export interface LastChecks {
  /** The newest day that was checked, with its state; null when none was. */
  readonly last: { readonly day: string; readonly checkedAt: Date } | null;
  /** Days that differ, the newest first. */
  readonly different: readonly { readonly day: string; readonly rows: number }[];
}

const DIFFERENT_MAX = 100;

export async function findLastChecks(pool: Pool, workspaceId: string): Promise<LastChecks> {
  const last = await pool.query<{ day: string; checkedAt: Date }>(
    `SELECT day::text AS day, checked_at AS "checkedAt" FROM projection_check WHERE workspace_id = $1
     ORDER BY day DESC LIMIT 1`,
    [workspaceId],
  );
  const different = await pool.query<{ day: string; rows: number }>(
    `SELECT day::text AS day, rows_differing::float8 AS rows FROM projection_check
     WHERE workspace_id = $1 AND state = 'different' ORDER BY day DESC LIMIT ${DIFFERENT_MAX}`,
    [workspaceId],
  );
  return { last: last.rows[0] ?? null, different: different.rows };
}
