/** SQL for follow-ups. */
import type { Pool, Tx } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import type { FollowUpMark } from "./follow-up-mark-schema.ts";
import { LISTED_MAX } from "./schema.ts";

/** The name of a call: all decisions with the same tool call of an agent's session are about one call. */
export interface CallName {
  readonly agentId: string;
  readonly sessionId: string;
  readonly toolUseId: string | null;
}

export type NamedCall = EventKey & CallName;

/** The calls of these decisions; those that are not stored are left out. */
export function listNamed(tx: Tx, workspaceId: string, keys: readonly EventKey[]): Promise<NamedCall[]> {
  return tx.$queryRawUnsafe<NamedCall[]>(
    `SELECT occurred_at AS "occurredAt", dispatch_id AS id, agent_id AS "agentId", session_id AS "sessionId",
       tool_use_id AS "toolUseId"
     FROM tool_decision WHERE workspace_id = $1::uuid
       AND (occurred_at, dispatch_id) IN (SELECT * FROM unnest($2::timestamptz[], $3::uuid[]))`,
    workspaceId,
    keys.map(({ occurredAt }) => occurredAt),
    keys.map(({ id }) => id),
  );
}

/** Creates the follow-up if the call lacks one, and locks it until the transaction ends. */
export async function lock(tx: Tx, workspaceId: string, id: string, call: NamedCall): Promise<void> {
  await tx.$executeRaw`INSERT INTO call_follow_up AS one
      (workspace_id, id, occurred_at, dispatch_id, agent_id, session_id, tool_use_id)
    VALUES (${workspaceId}::uuid, ${id}::uuid, ${call.occurredAt}, ${call.id}::uuid, ${call.agentId}::uuid, ${call.sessionId},
      ${call.toolUseId})
    ON CONFLICT (workspace_id, id) DO UPDATE SET session_id = one.session_id`;
}

export async function assign(
  tx: Tx,
  workspaceId: string,
  id: string,
  assignee: { readonly id: string; readonly name: string } | null,
): Promise<boolean> {
  const changed = await tx.$executeRaw`UPDATE call_follow_up
    SET assignee_id = ${assignee?.id ?? null}::uuid, assignee_name = ${assignee?.name ?? null}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid
      AND assignee_id IS DISTINCT FROM ${assignee?.id ?? null}::uuid`;
  return changed > 0;
}

/** False when the call has `limit` keywords and not this one. */
export async function addKeyword(
  tx: Tx,
  workspaceId: string,
  id: string,
  { word, limit }: { readonly word: string; readonly limit: number },
): Promise<boolean> {
  const changed = await tx.$executeRaw`UPDATE call_follow_up
    SET keywords = CASE WHEN ${word} = ANY (keywords) THEN keywords ELSE keywords || ${word}::text END
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid
      AND (${word} = ANY (keywords) OR cardinality(keywords) < ${limit}::int)`;
  return changed > 0;
}

export async function removeKeyword(tx: Tx, workspaceId: string, id: string, word: string): Promise<void> {
  await tx.$executeRaw`UPDATE call_follow_up SET keywords = array_remove(keywords, ${word}::text)
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

export async function countComments(tx: Tx, workspaceId: string, followUpId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM call_comment
    WHERE workspace_id = ${workspaceId}::uuid AND follow_up_id = ${followUpId}::uuid`;
  return row?.count ?? 0;
}

export interface NewComment {
  readonly id: string;
  readonly followUpId: string;
  readonly authorId: string;
  readonly author: string;
  readonly text: string;
}

export async function insertComment(tx: Tx, workspaceId: string, call: NamedCall, comment: NewComment): Promise<void> {
  await tx.$executeRaw`INSERT INTO call_comment
      (workspace_id, id, follow_up_id, occurred_at, dispatch_id, agent_id, session_id, author_id, author_name, text)
    VALUES (${workspaceId}::uuid, ${comment.id}::uuid, ${comment.followUpId}::uuid, ${call.occurredAt}, ${call.id}::uuid,
      ${call.agentId}::uuid, ${call.sessionId}, ${comment.authorId}, ${comment.author}, ${comment.text})`;
}

export interface CommentRow {
  readonly id: string;
  readonly authorId: string;
  readonly author: string;
  readonly text: string;
  readonly at: Date;
}

const COMMENT = `id, author_id AS "authorId", author_name AS author, text, written_at AS at`;

export async function findComment(tx: Tx, workspaceId: string, id: string): Promise<CommentRow | null> {
  const [row] = await tx.$queryRawUnsafe<CommentRow[]>(
    `SELECT ${COMMENT} FROM call_comment WHERE workspace_id = $1::uuid AND id = $2::uuid`,
    workspaceId,
    id,
  );
  return row ?? null;
}

export async function removeComment(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM call_comment WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

export function listComments(tx: Tx, workspaceId: string, followUpId: string, limit: number): Promise<CommentRow[]> {
  return tx.$queryRawUnsafe<CommentRow[]>(
    `SELECT ${COMMENT} FROM call_comment WHERE workspace_id = $1::uuid AND follow_up_id = $2::uuid
     ORDER BY written_at, id LIMIT $3`,
    workspaceId,
    followUpId,
    limit,
  );
}

type MarkRow = FollowUpMark & { readonly id: string };

/** The follow-ups of these ids that hold anything. */
export async function listMarks(pool: Pool, workspaceId: string, ids: readonly string[]): Promise<readonly MarkRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<MarkRow>({
    name: "follow_up_marks",
    text: `SELECT * FROM (
             SELECT id, keywords,
               CASE WHEN assignee_id IS NOT NULL THEN jsonb_build_object('id', assignee_id, 'name', assignee_name) END AS assignee,
               (SELECT count(*)::int FROM call_comment AS comment
                 WHERE comment.workspace_id = one.workspace_id AND comment.follow_up_id = one.id) AS comments
             FROM call_follow_up AS one WHERE workspace_id = $1 AND id = ANY($2::uuid[])
           ) AS mark WHERE keywords <> '{}' OR assignee IS NOT NULL OR comments > 0`,
    values: [workspaceId, ids],
  });
  return rows;
}

export interface MemberRow {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** The members with these roles, by name; with `id`, that one. */
export function listMembers(
  tx: Tx,
  workspaceId: string,
  { roles, id = null }: { readonly roles: readonly string[]; readonly id?: string | null },
): Promise<MemberRow[]> {
  return tx.$queryRawUnsafe<MemberRow[]>(
    `SELECT person.id, person.name, membership.role FROM membership JOIN person ON person.id = membership.person_id
     WHERE membership.workspace_id = $1::uuid AND membership.role = ANY ($2::text[])
       AND ($3::uuid IS NULL OR person.id = $3::uuid)
     ORDER BY lower(person.name), person.id LIMIT ${LISTED_MAX}`,
    workspaceId,
    roles,
    id,
  );
}

/** The keywords in use, the most used first. */
export async function listKeywords(pool: Pool, workspaceId: string): Promise<{ value: string; count: number }[]> {
  const { rows } = await pool.query<{ value: string; count: number }>({
    name: "follow_up_keywords",
    text: `SELECT value, count(*)::int AS count FROM call_follow_up, unnest(keywords) AS value
           WHERE workspace_id = $1 GROUP BY value ORDER BY count DESC, value LIMIT ${LISTED_MAX}`,
    values: [workspaceId],
  });
  return rows;
}
