/** SQL for mails of notices: the people with due notices, the notices of the next mail, and its result. */
import type { Pool } from "../platform/db.ts";
import { IS_OVER } from "./repository.ts";

export interface Addressee {
  readonly workspaceId: string;
  readonly personId: string;
}

/** Claims people with due notices and no mail since `before`, so that their next mail waits. */
export async function claimPeople(
  pool: Pool,
  { now, before, limit }: { readonly now: Date; readonly before: Date; readonly limit: number },
): Promise<readonly Addressee[]> {
  const { rows } = await pool.query<Addressee>(
    `UPDATE notice_choices AS mine SET mailed_at = $1
     FROM (SELECT chosen.workspace_id, chosen.person_id FROM notice_choices AS chosen
       WHERE (mailed_at IS NULL OR mailed_at <= $2) AND EXISTS (SELECT FROM notice
         WHERE notice.workspace_id = chosen.workspace_id AND notice.person_id = chosen.person_id AND mail = 'waiting' AND mail_at <= $1)
       LIMIT $3 FOR UPDATE SKIP LOCKED) AS due
     WHERE mine.workspace_id = due.workspace_id AND mine.person_id = due.person_id
     RETURNING mine.workspace_id AS "workspaceId", mine.person_id AS "personId"`,
    [now, before, limit],
  );
  return rows;
}

/** No mail was sent: the next one need not wait. */
export async function release(pool: Pool, { workspaceId, personId }: Addressee): Promise<void> {
  await pool.query("UPDATE notice_choices SET mailed_at = NULL WHERE workspace_id = $1 AND person_id = $2", [
    ...[workspaceId, personId],
  ]);
}

export interface DueRow {
  readonly key: string;
  readonly kind: string;
  readonly title: string;
  readonly says: string;
  readonly path: string;
  readonly isUrgent: boolean;
  readonly isOver: boolean;
  readonly attempts: number;
}

/** The oldest first. Held until `heldUntil`: if this process dies, they are due again. */
export async function takeDue(
  pool: Pool,
  { workspaceId, personId }: Addressee,
  { now, heldUntil, limit }: { readonly now: Date; readonly heldUntil: Date; readonly limit: number },
): Promise<readonly DueRow[]> {
  const { rows } = await pool.query<DueRow>(
    `WITH taken AS (UPDATE notice AS one SET mail_at = $4, mail_attempts = one.mail_attempts + 1
       FROM (SELECT key FROM notice WHERE workspace_id = $1 AND person_id = $2 AND mail = 'waiting' AND mail_at <= $3
         ORDER BY at, key LIMIT $5 FOR UPDATE SKIP LOCKED) AS due
       WHERE one.workspace_id = $1 AND one.person_id = $2 AND one.key = due.key
       RETURNING one.key, one.kind, one.at, one.title, one.says, one.path, one.is_urgent AS "isUrgent",
         one.mail_attempts AS attempts, ${IS_OVER} AS "isOver")
     SELECT * FROM taken ORDER BY at, key`,
    [workspaceId, personId, now, heldUntil, limit],
  );
  return rows;
}

/** `waiting` with the instant from which on it is due again. */
export type MailState =
  | { readonly mail: "sent" | "dropped" }
  | { readonly mail: "failed"; readonly error: string }
  | { readonly mail: "waiting"; readonly at: Date; readonly isAttempt: boolean };

export async function setMail(
  pool: Pool,
  { workspaceId, personId }: Addressee,
  keys: readonly string[],
  state: MailState,
): Promise<void> {
  if (keys.length === 0) return;
  const { mail } = state;
  const values = [
    ...[workspaceId, personId, keys, mail],
    ...(mail === "waiting" ? [state.at, state.isAttempt ? 0 : 1] : [null, 0]),
    mail === "failed" ? state.error : null,
  ];
  await pool.query(
    `UPDATE notice SET mail = $4, mail_at = coalesce($5, mail_at), mail_attempts = mail_attempts - $6, mail_error = $7
     WHERE workspace_id = $1 AND person_id = $2 AND key = ANY ($3)`,
    values,
  );
}

/** The error of the newest mail; null if it was sent, or there was no mail. */
export async function findFailure(pool: Pool, workspaceId: string, personId: string): Promise<string | null> {
  const { rows } = await pool.query<{ error: string | null }>(
    `SELECT mail_error AS error FROM notice WHERE workspace_id = $1 AND person_id = $2 AND mail IN ('sent', 'failed')
     ORDER BY at DESC, key LIMIT 1`,
    [workspaceId, personId],
  );
  return rows[0]?.error ?? null;
}
