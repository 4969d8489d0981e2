/** SQL for `verification_run`. Only the process that holds a run's lease works on it and writes to it. */
import type { Pool } from "../../platform/db.ts";

/** As stored in `state`; `interrupted` when the lease of a running one has expired. */
export type RunState = "waiting" | "running" | "interrupted" | "done" | "failed";

export interface RunRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly state: RunState;
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly fromBeginning: boolean;
  readonly from: number | null;
  readonly to: number | null;
  readonly position: number;
  readonly day: string | null;
  readonly entries: number;
  readonly dispatches: number;
  readonly findings: number;
  readonly failure: string | null;
  readonly report: unknown;
  /** The period of a run for a statement, and its facts; null for the others. */
  readonly period: unknown;
  readonly statement: unknown;
}

const COLUMNS = `id, workspace_id AS "workspaceId", started_by AS "startedBy", created_at AS "startedAt",
  CASE WHEN state = 'running' AND lease_until < now() THEN 'interrupted' ELSE state END AS state,
  finished_at AS "finishedAt", from_beginning AS "fromBeginning", from_seq::float8 AS "from", to_seq::float8 AS "to",
  position::float8 AS position, day, entries::float8 AS entries, dispatches::float8 AS dispatches,
  findings::float8 AS findings, failure, report, period, statement`;

/** Runs of a workspace that are kept. */
const KEPT = 100;

/** Adds a run, unless one is under way; returns the run, and whether it is new. */
export async function startRun(
  pool: Pool,
  workspaceId: string,
  run: { readonly id: string; readonly by: string; readonly fromBeginning: boolean; readonly period?: object },
): Promise<{ id: string; isNew: boolean }> {
  await pool.query(
    `DELETE FROM verification_run WHERE workspace_id = $1 AND state IN ('done', 'failed') AND id IN (
       SELECT id FROM verification_run WHERE workspace_id = $1 ORDER BY created_at DESC OFFSET ${KEPT})`,
    [workspaceId],
  );
  const added = await pool.query(
    `INSERT INTO verification_run (workspace_id, id, started_by, from_beginning, period) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (workspace_id) WHERE state IN ('waiting', 'running') DO NOTHING`,
    [workspaceId, run.id, run.by, run.fromBeginning, run.period ? JSON.stringify(run.period) : null],
  );
  if (added.rowCount === 1) return { id: run.id, isNew: true };
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM verification_run WHERE workspace_id = $1 AND state IN ('waiting', 'running')",
    [workspaceId],
  );
  const [under] = rows;
  // It ended in between.
  return under ? { id: under.id, isNew: false } : startRun(pool, workspaceId, run);
}

/** The newest first; with `ofPeriods`, those for statements, else the others. */
export async function listRuns(pool: Pool, workspaceId: string, limit: number, ofPeriods = false): Promise<RunRow[]> {
  const { rows } = await pool.query<RunRow>(
    `SELECT ${COLUMNS} FROM verification_run WHERE workspace_id = $1 AND (period IS NOT NULL) = $3
     ORDER BY created_at DESC, id DESC LIMIT $2`,
    [workspaceId, limit, ofPeriods],
  );
  return rows;
}

export async function findRun(pool: Pool, workspaceId: string, id: string): Promise<RunRow | null> {
  const { rows } = await pool.query<RunRow>(
    `SELECT ${COLUMNS} FROM verification_run WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** The last one that came to a result, those of periods aside; with `isClean`, to one without findings. */
export async function findLastDone(pool: Pool, workspaceId: string, isClean = false): Promise<RunRow | null> {
  const { rows } = await pool.query<RunRow>(
    `SELECT ${COLUMNS} FROM verification_run WHERE workspace_id = $1 AND state = 'done' AND period IS NULL AND (NOT $2 OR findings = 0)
     ORDER BY finished_at DESC LIMIT 1`,
    [workspaceId, isClean],
  );
  return rows[0] ?? null;
}

export interface ClaimedRun {
  readonly workspaceId: string;
  readonly id: string;
  readonly lease: string;
  readonly fromBeginning: boolean;
  /** Null before the first range. */
  readonly progress: unknown;
  /** Attempts at the range to come that did not end well. */
  readonly failures: number;
  readonly period: unknown;
}

/** Claims the oldest run without a worker. A run that another process is claiming is skipped. */
export async function claim(pool: Pool, lease: string, seconds: number): Promise<ClaimedRun | null> {
  const { rows } = await pool.query<ClaimedRun>(
    `UPDATE verification_run AS mine SET state = 'running', lease = $1, lease_until = now() + make_interval(secs => $2),
       failures = mine.failures + (mine.state = 'running')::int
     FROM (SELECT workspace_id, id FROM verification_run
       WHERE state IN ('waiting', 'running') AND (lease_until IS NULL OR lease_until < now())
       ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
     WHERE mine.workspace_id = due.workspace_id AND mine.id = due.id
     RETURNING mine.workspace_id AS "workspaceId", mine.id, mine.lease, mine.from_beginning AS "fromBeginning", mine.progress,
       mine.failures, mine.period`,
    [lease, seconds],
  );
  return rows[0] ?? null;
}

type Held = Pick<ClaimedRun, "workspaceId" | "id" | "lease">;
const HELD = "workspace_id = $1 AND id = $2 AND lease = $3 AND state = 'running'";

export interface RangeDone {
  readonly from: number;
  readonly to: number;
  readonly position: number;
  readonly day: string | null;
  readonly entries: number;
  readonly dispatches: number;
  readonly findings: number;
  readonly progress: object;
}

/** False when the run is another's by now: then nothing was written, and its work is over here. */
export async function saveRange(pool: Pool, of: Held, seconds: number, done: RangeDone): Promise<boolean> {
  const saved = await pool.query(
    `UPDATE verification_run SET from_seq = $4, to_seq = $5, position = $6, day = $7, entries = $8, dispatches = $9,
       findings = $10, progress = $11, failures = 0, lease_until = now() + make_interval(secs => $12) WHERE ${HELD}`,
    [
      ...[of.workspaceId, of.id, of.lease, done.from, done.to, done.position, done.day, done.entries, done.dispatches],
      ...[done.findings, JSON.stringify(done.progress), seconds],
    ],
  );
  return saved.rowCount === 1;
}

export interface RunResult {
  readonly findings: number;
  readonly report: object;
  readonly statement?: object;
}

export async function finishRun(pool: Pool, of: Held, { findings, report, statement }: RunResult): Promise<boolean> {
  const saved = await pool.query(
    `WITH done AS (UPDATE verification_run SET state = 'done', findings = $4, report = $5, statement = $6, progress = NULL,
         lease = NULL, lease_until = NULL, finished_at = now() WHERE ${HELD} RETURNING 1),
       forgotten AS (DELETE FROM verification_blanked WHERE workspace_id = $1 AND run_id = $2 AND EXISTS (SELECT FROM done))
     SELECT FROM done`,
    [of.workspaceId, of.id, of.lease, findings, JSON.stringify(report), statement ? JSON.stringify(statement) : null],
  );
  return saved.rowCount === 1;
}

/** Ends it without a result. */
export async function failRun(pool: Pool, of: Held, failure: string): Promise<void> {
  await pool.query(
    `UPDATE verification_run SET state = 'failed', failure = $4, progress = NULL, lease = NULL, lease_until = NULL,
       finished_at = now() WHERE ${HELD}`,
    [of.workspaceId, of.id, of.lease, failure],
  );
}

/** Releases the run for another process; `failures` more attempts have failed. */
export async function releaseRun(pool: Pool, of: Held, failures: number): Promise<void> {
  await pool.query(
    `UPDATE verification_run SET state = 'waiting', lease = NULL, lease_until = NULL, failures = failures + $4 WHERE ${HELD}`,
    [of.workspaceId, of.id, of.lease, failures],
  );
}
