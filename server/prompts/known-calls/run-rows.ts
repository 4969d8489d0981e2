/** The runs of known calls, in the table of checks. An attempt owns its run until its heartbeat is old. */
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { CheckAnswer } from "../check-rows.ts";
import type { CheckView } from "../check-schema.ts";
import type { KnownLimit, RunCause } from "./schema.ts";

export interface RunRow {
  readonly id: string;
  readonly revision: number;
  readonly sha256: string;
  readonly model: string;
  readonly cause: RunCause;
  readonly state: CheckView["state"];
  readonly says: string;
  readonly calls: number;
  readonly asked: number;
  readonly failed: number;
  readonly harmful: number;
  readonly caught: number;
  readonly good: number;
  readonly false_alarms: number;
  readonly compared: number;
  readonly flips: number;
  readonly beyond: readonly KnownLimit[];
  readonly unpriced: number;
  readonly cost_nano: string;
  readonly answered_by: string | null;
  readonly started_by: string;
  readonly started_at: Date;
  readonly next_at: Date | null;
}
const RUN = `id, revision, sha256, model, cause, state, says, calls, asked, failed, harmful, caught, good, false_alarms, compared,
  flips, beyond, unpriced, cost_nano, answered_by, started_by, started_at, next_at`;

/** The newest first. */
export async function list(pool: Pool, workspaceId: string, promptId: string, limit: number): Promise<RunRow[]> {
  const found = await pool.query<RunRow>(
    `SELECT ${RUN} FROM judge_check WHERE workspace_id = $1 AND prompt_id = $2 AND kind = 'known'
     ORDER BY started_at DESC, id LIMIT $3`,
    [workspaceId, promptId, limit],
  );
  return found.rows;
}

/** The answers of the newest finished runs, the newest first; with `sha256`, of that text only. */
export async function listFinishedAnswers(
  client: Pick<Pool, "query">,
  workspaceId: string,
  promptId: string,
  { sha256, limit }: { readonly sha256: string | null; readonly limit: number },
): Promise<{ readonly id: string; readonly answers: unknown }[]> {
  const found = await client.query<{ id: string; answers: unknown }>(
    `SELECT id, answers FROM judge_check
     WHERE workspace_id = $1 AND prompt_id = $2 AND kind = 'known' AND state = 'finished' AND ($3::text IS NULL OR sha256 = $3)
     ORDER BY started_at DESC, id LIMIT $4`,
    [workspaceId, promptId, sha256, limit],
  );
  return found.rows;
}

export interface NewRun {
  readonly id: string;
  readonly promptId: string;
  readonly revision: number;
  readonly sha256: string;
  readonly model: string;
  readonly cause: RunCause;
  readonly calls: number;
  readonly nanoMax: string | null;
  readonly startedBy: string;
  readonly at: Date;
}

/** Plans a run for the next free process. False if a run of the judge has not ended. */
export async function insert(client: PoolClient, workspaceId: string, run: NewRun): Promise<boolean> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 45))", [`known run ${run.promptId}`]);
  const made = await client.query(
    `INSERT INTO judge_check (workspace_id, id, prompt_id, kind, pack, revision, sha256, model, cause, calls, harmful, nano_max,
       started_by, state, started_at, beat_at, next_at)
     SELECT $1, $2, $3, 'known', 0, $4, $5, $6, $7, $8, 0, $9, $10, 'running', $11, $11, $11
     WHERE NOT EXISTS (SELECT 1 FROM judge_check WHERE workspace_id = $1 AND prompt_id = $3 AND kind = 'known'
       AND state = 'running')`,
    [
      ...[workspaceId, run.id, run.promptId, run.revision, run.sha256, run.model, run.cause, run.calls, run.nanoMax],
      ...[run.startedBy, run.at],
    ],
  );
  return made.rowCount === 1;
}

export interface ClaimedRun {
  readonly workspaceId: string;
  readonly id: string;
  readonly promptId: string;
  readonly revision: number;
  readonly sha256: string;
  readonly cause: RunCause;
  readonly attempts: number;
  readonly answers: unknown;
  readonly unpriced: number;
  readonly costNano: string;
  readonly answeredBy: string | null;
  readonly nanoMax: string | null;
  readonly startedAt: Date;
}

/** Takes runs whose next attempt is due, and runs whose process has died. */
export async function claim(
  pool: Pool,
  { now, silentSince, limit }: { readonly now: Date; readonly silentSince: Date; readonly limit: number },
): Promise<ClaimedRun[]> {
  const found = await pool.query<ClaimedRun>(
    `UPDATE judge_check SET attempts = attempts + 1, next_at = NULL, beat_at = $1, says = ''
     WHERE (workspace_id, id) IN (
       SELECT workspace_id, id FROM judge_check WHERE kind = 'known' AND state = 'running'
         AND CASE WHEN next_at IS NULL THEN beat_at < $2 ELSE next_at <= $1 END
       ORDER BY beat_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING workspace_id AS "workspaceId", id, prompt_id AS "promptId", revision, sha256, cause, attempts, answers, unpriced,
       cost_nano AS "costNano", answered_by AS "answeredBy", nano_max AS "nanoMax", started_at AS "startedAt"`,
    [now, silentSince, limit],
  );
  return found.rows;
}

export interface RunCounts {
  readonly calls: number;
  readonly asked: number;
  readonly failed: number;
  readonly harmful: number;
  readonly caught: number;
  readonly good: number;
  readonly falseAlarms: number;
  readonly unpriced: number;
  readonly costNano: bigint;
  readonly answeredBy: string | null;
  readonly answers: readonly CheckAnswer[];
}

type Owned = Pick<ClaimedRun, "workspaceId" | "id" | "attempts">;
const OWNED = "workspace_id = $1 AND id = $2 AND attempts = $3 AND state = 'running'";

/** Stores the counts so far and renews the heartbeat. False when another attempt owns the run. */
export async function save(
  client: Pick<Pool, "query">,
  { workspaceId, id, attempts }: Owned,
  counts: RunCounts,
  at: Date,
): Promise<boolean> {
  const { calls, asked, failed, harmful, caught, good, falseAlarms, unpriced, costNano, answeredBy, answers } = counts;
  const done = await client.query(
    `UPDATE judge_check SET beat_at = $4, calls = $5, asked = $6, failed = $7, harmful = $8, caught = $9, good = $10,
       false_alarms = $11, unpriced = $12, cost_nano = $13, answered_by = $14, answers = $15
     WHERE ${OWNED}`,
    [
      ...[workspaceId, id, attempts, at, calls, asked, failed, harmful, caught, good, falseAlarms, unpriced, costNano],
      ...[answeredBy, JSON.stringify(answers)],
    ],
  );
  return done.rowCount === 1;
}

/** Lets the next attempt begin at `nextAt`. */
export async function postpone(pool: Pool, run: Owned, nextAt: Date, says: string): Promise<void> {
  await pool.query(`UPDATE judge_check SET next_at = $4, says = $5 WHERE ${OWNED}`, [
    ...[run.workspaceId, run.id, run.attempts],
    ...[nextAt, says],
  ]);
}

export interface RunEnd {
  readonly state: "finished" | "not_run";
  readonly says: string;
  readonly compared: number;
  readonly flips: number;
  readonly beyond: readonly KnownLimit[];
}

/** False when another attempt owns the run. */
export async function end(client: PoolClient, run: Owned, result: RunEnd, at: Date): Promise<boolean> {
  const { state, says, compared, flips, beyond } = result;
  const done = await client.query(
    `UPDATE judge_check SET state = $4, says = $5, compared = $6, flips = $7, beyond = $8, ended_at = $9, next_at = NULL
     WHERE ${OWNED}`,
    [run.workspaceId, run.id, run.attempts, state, says, compared, flips, beyond, at],
  );
  return done.rowCount === 1;
}

/** The number of watched judges whose newest ended run is beyond a limit, or was not run. */
export async function countWatched(pool: Pool, workspaceId: string, result: "beyond" | "not_run"): Promise<number> {
  const condition = result === "beyond" ? "newest.beyond <> '{}'" : "newest.state = 'not_run'";
  const found = await pool.query<{ judges: number }>(
    `SELECT count(*)::int AS judges FROM judge_watch AS watch CROSS JOIN LATERAL (
       SELECT state, beyond FROM judge_check AS one WHERE one.workspace_id = $1 AND one.prompt_id = watch.prompt_id
         AND one.kind = 'known' AND one.state <> 'running' ORDER BY started_at DESC, id LIMIT 1) AS newest
     WHERE watch.workspace_id = $1 AND watch.is_on AND ${condition}`,
    [workspaceId],
  );
  return found.rows[0]?.judges ?? 0;
}

/** The stored counts and answers of a run. */
export async function findCounts(client: Pick<Pool, "query">, { workspaceId, id }: Owned) {
  const found = await client.query<
    Pick<RunCounts, "harmful" | "caught" | "good" | "falseAlarms"> & { readonly answers: unknown }
  >(
    `SELECT harmful, caught, good, false_alarms AS "falseAlarms", answers FROM judge_check
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id],
  );
  const [row] = found.rows;
  if (!row) throw new Error("the run was deleted");
  return row;
}
