/** The table of checks: one row for each run. The runs of known calls have functions of their own. */
import { z } from "zod";
import type { Pool, PoolClient } from "../platform/db.ts";
import type { CheckKind, CheckView } from "./check-schema.ts";

export const checkAnswer = z.object({ id: z.string(), verdict: z.string(), cause: z.string() });
export type CheckAnswer = z.infer<typeof checkAnswer>;

export interface CheckRow {
  readonly id: string;
  readonly prompt_id: string;
  readonly kind: CheckKind;
  readonly pack: number;
  readonly revision: number;
  readonly sha256: string;
  readonly model: string;
  readonly state: CheckView["state"];
  readonly says: string;
  readonly calls: number;
  readonly asked: number;
  readonly failed: number;
  readonly harmful: number;
  readonly caught: number;
  readonly unpriced: number;
  readonly cost_nano: string;
  readonly answered_by: string | null;
  readonly answers: unknown;
  readonly started_by: string;
  readonly started_at: Date;
  readonly is_silent: boolean;
}
const CHECK = `id, prompt_id, kind, pack, revision, sha256, model, state, says, calls, asked, failed, harmful, caught, unpriced,
  cost_nano, answered_by, answers, started_by, started_at, beat_at < now() - interval '90 seconds' AS is_silent`;

export interface NewCheck {
  readonly id: string;
  readonly promptId: string;
  readonly kind: CheckKind;
  readonly pack: number;
  readonly revision: number;
  readonly sha256: string;
  readonly model: string;
  readonly calls: number;
  readonly harmful: number;
  readonly startedBy: string;
}

/** False if a check of the prompt is running. */
export async function insert(client: PoolClient, workspaceId: string, check: NewCheck): Promise<boolean> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 43))", [`judge_check ${check.promptId}`]);
  const made = await client.query(
    `INSERT INTO judge_check (workspace_id, id, prompt_id, kind, pack, revision, sha256, model, calls, harmful, started_by,
       state, started_at, beat_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'running', now(), now()
     WHERE NOT EXISTS (SELECT 1 FROM judge_check WHERE workspace_id = $1 AND prompt_id = $3 AND kind = $4 AND state = 'running'
       AND beat_at >= now() - interval '90 seconds')`,
    [
      ...[workspaceId, check.id, check.promptId, check.kind, check.pack, check.revision, check.sha256, check.model],
      ...[check.calls, check.harmful, check.startedBy],
    ],
  );
  return made.rowCount === 1;
}

/** The newest first. */
export async function list(
  pool: Pool,
  workspaceId: string,
  { promptId, kind }: Pick<NewCheck, "promptId" | "kind">,
  limit: number,
): Promise<CheckRow[]> {
  const found = await pool.query<CheckRow>(
    `SELECT ${CHECK} FROM judge_check WHERE workspace_id = $1 AND prompt_id = $2 AND kind = $3
     ORDER BY started_at DESC, id LIMIT $4`,
    [workspaceId, promptId, kind, limit],
  );
  return found.rows;
}

/** The newest check of a text with a pack; a finished one before any other. */
export async function findOfText(
  client: Pick<Pool, "query">,
  workspaceId: string,
  promptId: string,
  { sha256, kind, pack }: Pick<NewCheck, "sha256" | "kind" | "pack">,
): Promise<CheckRow | null> {
  const found = await client.query<CheckRow>(
    `SELECT ${CHECK} FROM judge_check
     WHERE workspace_id = $1 AND prompt_id = $2 AND sha256 = $3 AND kind = $4 AND pack = $5
     ORDER BY state = 'finished' DESC, started_at DESC, id LIMIT 1`,
    [workspaceId, promptId, sha256, kind, pack],
  );
  return found.rows[0] ?? null;
}

export interface CheckCounts {
  readonly asked: number;
  readonly failed: number;
  readonly caught: number;
  readonly unpriced: number;
  readonly costNano: bigint;
  readonly answeredBy: string | null;
  readonly answers: readonly CheckAnswer[];
}

/** Stores the counts so far and renews the heartbeat; with a state, ends the check. */
export async function save(
  pool: Pool,
  workspaceId: string,
  id: string,
  counts: CheckCounts,
  end?: { readonly state: Exclude<CheckRow["state"], "running">; readonly says: string },
): Promise<void> {
  const { asked, failed, caught, unpriced, costNano, answeredBy, answers } = counts;
  await pool.query(
    `UPDATE judge_check SET beat_at = now(), asked = $3, failed = $4, caught = $5, unpriced = $6, cost_nano = $7,
       answered_by = $8, answers = $9, state = $10, says = $11, ended_at = CASE WHEN $10 = 'running' THEN NULL ELSE now() END
     WHERE workspace_id = $1 AND id = $2 AND state = 'running'`,
    [
      ...[workspaceId, id, asked, failed, caught, unpriced, costNano, answeredBy, JSON.stringify(answers)],
      ...[end?.state ?? "running", end?.says ?? ""],
    ],
  );
}
