/** SQL for labels. One for each answer and person; a later one replaces the earlier. */
import type { Pool, PoolClient } from "../platform/db.ts";
import type { Decision, LabelWord } from "./schema.ts";

export interface LabelRow {
  readonly subject: string;
  readonly person_id: string;
  readonly person: string;
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly word: LabelWord;
  readonly expected: Decision;
  readonly note: string;
  readonly labelled_at: Date;
}
const LABEL = "subject, person_id, person, occurred_at, dispatch_id, word, expected, note, labelled_at";

export interface NewLabel extends Omit<LabelRow, "labelled_at"> {
  readonly prompt_id: string | null;
  readonly verdict: string;
}

export async function put(client: Pick<PoolClient, "query">, workspaceId: string, label: NewLabel): Promise<void> {
  await client.query(
    `INSERT INTO judge_label (workspace_id, subject, person_id, person, prompt_id, occurred_at, dispatch_id, word, verdict,
       expected, note, labelled_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp())
     ON CONFLICT (workspace_id, subject, person_id) DO UPDATE SET person = excluded.person, prompt_id = excluded.prompt_id,
       word = excluded.word, verdict = excluded.verdict, expected = excluded.expected, note = excluded.note,
       labelled_at = excluded.labelled_at`,
    [
      workspaceId,
      label.subject,
      label.person_id,
      label.person,
      label.prompt_id,
      label.occurred_at,
      label.dispatch_id,
      label.word,
      label.verdict,
      label.expected,
      label.note,
    ],
  );
}

/** Removes a label; false when it did not exist. */
export async function remove(
  client: Pick<PoolClient, "query">,
  workspaceId: string,
  subject: string,
  personId: string,
): Promise<boolean> {
  const found = await client.query(
    "DELETE FROM judge_label WHERE workspace_id = $1 AND subject = $2 AND person_id = $3",
    [workspaceId, subject, personId],
  );
  return found.rowCount === 1;
}

export async function listOf(pool: Pool, workspaceId: string, subject: string): Promise<LabelRow[]> {
  const found = await pool.query<LabelRow>(
    `SELECT ${LABEL} FROM judge_label WHERE workspace_id = $1 AND subject = $2 ORDER BY labelled_at LIMIT 200`,
    [workspaceId, subject],
  );
  return found.rows;
}

/** Every label about a prompt's answers, the newest first, `limit` at most. */
export async function listOfPrompt(
  pool: Pool,
  workspaceId: string,
  promptId: string,
  limit: number,
): Promise<LabelRow[]> {
  const found = await pool.query<LabelRow>(
    `SELECT ${LABEL} FROM judge_label WHERE workspace_id = $1 AND prompt_id = $2 ORDER BY labelled_at DESC LIMIT $3`,
    [workspaceId, promptId, limit],
  );
  return found.rows;
}

interface JudgedCallRow {
  readonly verdict: string;
  readonly label: string | null;
}

/** The verdict of a live judge, with its hook's label. */
export async function findCall(
  pool: Pool,
  workspaceId: string,
  key: { readonly occurredAt: Date; readonly id: string; readonly place: number },
): Promise<JudgedCallRow | null> {
  const found = await pool.query<JudgedCallRow>(
    `SELECT verdict, label FROM judge_call
     WHERE workspace_id = $1 AND occurred_at = $2 AND dispatch_id = $3 AND place = $4`,
    [workspaceId, key.occurredAt, key.id, key.place],
  );
  return found.rows[0] ?? null;
}

export interface LiveAnswerRow {
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly label: string;
  readonly verdict: string;
  readonly latency_ms: number | null;
  readonly pricing: "priced" | "free" | "unpriced" | "unanswered";
  readonly cost_nano: string | null;
}

/** The answers to hooks labelled with the prompt, the newest first, `limit` at most. */
export async function listLiveAnswers(
  pool: Pool,
  workspaceId: string,
  name: string,
  limit: number,
): Promise<LiveAnswerRow[]> {
  const found = await pool.query<LiveAnswerRow>(
    `SELECT occurred_at, dispatch_id, label, verdict, latency_ms, pricing, cost_nano FROM judge_call
     WHERE workspace_id = $1 AND label IS NOT NULL AND starts_with(label, $2)
     ORDER BY occurred_at DESC LIMIT $3`,
    [workspaceId, `${name}@`, limit],
  );
  return found.rows;
}
