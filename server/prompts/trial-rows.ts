/** The tables of trials and of the questions they put. */
import type { Pool, PoolClient } from "../platform/db.ts";
import type { JudgedText, StartTrial } from "./schema.ts";

export interface TrialRow extends JudgedText {
  readonly id: string;
  readonly prompt_id: string;
  readonly revision: number;
  readonly sha256: string;
  readonly repeats: number;
  readonly calls_max: number;
  readonly nano_max: string | null;
  readonly timeout_ms: number;
  readonly state: "running" | "finished" | "canceled" | "spent" | "stopped";
  readonly says: string;
  readonly started_by: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  /** True if the heartbeat is older than that of any running trial. */
  readonly is_silent: boolean;
}
const TRIAL = `id, prompt_id, revision, template, model, schema, sha256, repeats, calls_max, nano_max, timeout_ms, state, says,
  started_by, started_at, ended_at, beat_at < now() - interval '90 seconds' AS is_silent`;

export interface TrialCallRow {
  readonly trial_id: string;
  readonly place: number;
  readonly repeat: number;
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly event: string;
  readonly tool_name: string | null;
  readonly agent_name: string;
  readonly asked_at: Date | null;
  readonly verdict: string | null;
  readonly cause: string;
  readonly reason: string;
  readonly latency_ms: number | null;
  readonly input_tokens: string | null;
  readonly output_tokens: string | null;
  readonly pricing: "priced" | "free" | "unpriced" | "unanswered" | null;
  readonly cost_nano: string | null;
}
const CALL = `trial_id, place, repeat, occurred_at, dispatch_id, event, tool_name, agent_name, asked_at, verdict, cause, reason,
  latency_ms, input_tokens, output_tokens, pricing, cost_nano`;

/** The result of a question. */
export interface Asked {
  readonly verdict: string;
  readonly cause: string;
  readonly reason: string;
  readonly reply: string | null;
  readonly latencyMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly pricing: NonNullable<TrialCallRow["pricing"]>;
  readonly costNano: bigint | null;
  /** The model that answered, in the provider's words; null without an answer. */
  readonly answeredBy: string | null;
}

export interface NewTrial extends JudgedText {
  readonly id: string;
  readonly promptId: string;
  readonly revision: number;
  readonly sha256: string;
  readonly startedBy: string;
  readonly settings: Pick<StartTrial, "repeats" | "timeoutSeconds" | "budget">;
  readonly calls: readonly Pick<TrialCallRow, "occurred_at" | "dispatch_id" | "event" | "tool_name" | "agent_name">[];
}

/** Inserts the trial with all its questions; false when the workspace already runs `runningMax` trials. */
export async function insert(
  client: Pick<PoolClient, "query">,
  workspaceId: string,
  trial: NewTrial,
  runningMax: number,
): Promise<boolean> {
  // Serialises concurrent starts, so that the second sees the first.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 42))", [`judge_trial ${workspaceId}`]);
  const running = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM judge_trial
     WHERE workspace_id = $1 AND state = 'running' AND beat_at >= now() - interval '90 seconds'`,
    [workspaceId],
  );
  if ((running.rows[0]?.count ?? 0) >= runningMax) return false;
  const { id, promptId, revision, template, model, schema, sha256, startedBy, calls, settings } = trial;
  const { repeats, timeoutSeconds, budget } = settings;
  await client.query(
    `INSERT INTO judge_trial (workspace_id, id, prompt_id, revision, template, model, schema, sha256, repeats, calls_max,
       nano_max, timeout_ms, state, started_by, started_at, beat_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'running', $13, now(), now())`,
    [
      workspaceId,
      id,
      promptId,
      revision,
      template,
      model,
      schema,
      sha256,
      repeats,
      budget.calls,
      budget.nano,
      timeoutSeconds * 1_000,
      startedBy,
    ],
  );
  await client.query(
    `INSERT INTO judge_trial_call (workspace_id, trial_id, place, repeat, occurred_at, dispatch_id, event, tool_name, agent_name)
     SELECT $1, $2, call.place - 1, repeat, call.occurred_at, call.dispatch_id, call.event, call.tool_name, call.agent_name
     FROM unnest($3::timestamptz[], $4::uuid[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
       AS call(occurred_at, dispatch_id, event, tool_name, agent_name, place)
     CROSS JOIN generate_series(0, $8::int - 1) AS repeat`,
    [
      workspaceId,
      id,
      calls.map((call) => call.occurred_at),
      calls.map((call) => call.dispatch_id),
      calls.map((call) => call.event),
      calls.map((call) => call.tool_name),
      calls.map((call) => call.agent_name),
      repeats,
    ],
  );
  return true;
}

export async function find(pool: Pick<Pool, "query">, workspaceId: string, id: string): Promise<TrialRow | null> {
  const found = await pool.query<TrialRow>(`SELECT ${TRIAL} FROM judge_trial WHERE workspace_id = $1 AND id = $2`, [
    workspaceId,
    id,
  ]);
  return found.rows[0] ?? null;
}

/** The newest first. */
export async function list(pool: Pool, workspaceId: string, promptId: string, limit: number): Promise<TrialRow[]> {
  const found = await pool.query<TrialRow>(
    `SELECT ${TRIAL} FROM judge_trial WHERE workspace_id = $1 AND prompt_id = $2 ORDER BY started_at DESC, id LIMIT $3`,
    [workspaceId, promptId, limit],
  );
  return found.rows;
}

/** Every question of some trials, in the order they are asked. */
export async function listCalls(
  pool: Pick<Pool, "query">,
  workspaceId: string,
  trialIds: readonly string[],
): Promise<TrialCallRow[]> {
  const found = await pool.query<TrialCallRow>(
    `SELECT ${CALL} FROM judge_trial_call WHERE workspace_id = $1 AND trial_id = ANY($2::uuid[])
     ORDER BY trial_id, place, repeat`,
    [workspaceId, trialIds],
  );
  return found.rows;
}

export async function findCall(
  pool: Pick<Pool, "query">,
  workspaceId: string,
  key: { readonly trialId: string; readonly place: number; readonly repeat: number },
): Promise<(TrialCallRow & { prompt_id: string }) | null> {
  const found = await pool.query<TrialCallRow & { prompt_id: string }>(
    `SELECT call.*, trial.prompt_id FROM judge_trial_call AS call
     JOIN judge_trial AS trial ON trial.workspace_id = call.workspace_id AND trial.id = call.trial_id
     WHERE call.workspace_id = $1 AND call.trial_id = $2 AND call.place = $3 AND call.repeat = $4`,
    [workspaceId, key.trialId, key.place, key.repeat],
  );
  return found.rows[0] ?? null;
}

/** Stores the result of a question, once. Returns true if a person has canceled the trial. */
export async function recordAnswer(
  pool: Pool,
  workspaceId: string,
  key: { readonly trialId: string; readonly place: number; readonly repeat: number },
  asked: Asked,
): Promise<boolean> {
  const found = await pool.query<{ is_canceling: boolean }>({
    name: "judge_trial_settle",
    text: `WITH settled AS (
             UPDATE judge_trial_call SET asked_at = now(), verdict = $5, cause = $6, reason = $7, reply = $8,
               latency_ms = $9, input_tokens = $10, output_tokens = $11, pricing = $12, cost_nano = $13
             WHERE workspace_id = $1 AND trial_id = $2 AND place = $3 AND repeat = $4 AND asked_at IS NULL)
           UPDATE judge_trial SET beat_at = now() WHERE workspace_id = $1 AND id = $2 RETURNING is_canceling`,
    values: [
      workspaceId,
      key.trialId,
      key.place,
      key.repeat,
      asked.verdict,
      asked.cause,
      asked.reason,
      asked.reply,
      asked.latencyMs,
      asked.inputTokens,
      asked.outputTokens,
      asked.pricing,
      asked.costNano,
    ],
  });
  return found.rows[0]?.is_canceling ?? true;
}

/** Renews the trial's heartbeat. Returns true if a person has canceled it, or it was removed. */
export async function beat(pool: Pick<Pool, "query">, workspaceId: string, trialId: string): Promise<boolean> {
  const found = await pool.query<{ is_canceling: boolean }>({
    name: "judge_trial_beat",
    text: "UPDATE judge_trial SET beat_at = now() WHERE workspace_id = $1 AND id = $2 RETURNING is_canceling",
    values: [workspaceId, trialId],
  });
  return found.rows[0]?.is_canceling ?? true;
}

export async function end(
  pool: Pool,
  workspaceId: string,
  trialId: string,
  state: Exclude<TrialRow["state"], "running">,
  says: string,
): Promise<void> {
  await pool.query(
    `UPDATE judge_trial SET state = $3, says = $4, ended_at = now()
     WHERE workspace_id = $1 AND id = $2 AND state = 'running'`,
    [workspaceId, trialId, state, says],
  );
}

/**
 * Asks the node that runs the trial to cancel it; a trial without a live node is canceled directly. False when there is
 * no match.
 */
export async function cancel(pool: Pool, workspaceId: string, trialId: string): Promise<boolean> {
  const found = await pool.query(
    `UPDATE judge_trial SET is_canceling = state = 'running',
       state = CASE WHEN state = 'running' AND beat_at < now() - interval '90 seconds' THEN 'canceled' ELSE state END
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, trialId],
  );
  return found.rowCount === 1;
}
