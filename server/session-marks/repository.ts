/**
 * Marks of sessions. In SQL, because the next call at every gateway must see a mark that one gateway sets. All instants
 * are PostgreSQL's.
 */
import type { Pool } from "../platform/db.ts";

/** Sessions above a sub-session that are looked through. */
const LEVELS_MAX = 8;

/** Seconds since each of these marks was set in one of the sessions or in a session above them; absent: not set. */
export async function markAges(
  pool: Pool,
  workspaceId: string,
  sessions: readonly string[],
  marks: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ mark: string; age: number }>({
    name: "session_mark_ages",
    text: `WITH RECURSIVE above AS (
             SELECT unnest($2::text[]) AS session_id, 0 AS level
             UNION
             SELECT parent.parent_session_id, level + 1 FROM above JOIN session AS parent
               ON parent.workspace_id = $1 AND parent.session_id = above.session_id
             WHERE parent.parent_session_id IS NOT NULL AND level < ${LEVELS_MAX})
           SELECT mark, extract(epoch FROM clock_timestamp() - max(set_at))::float8 AS age FROM session_mark
           WHERE workspace_id = $1 AND session_id IN (SELECT session_id FROM above) AND mark = ANY ($3) GROUP BY mark`,
    values: [workspaceId, sessions, marks],
  });
  return new Map(rows.map(({ mark, age }) => [mark, age]));
}

/** Sets marks on each of the sessions; one that is set already gets the newer instant. */
export async function setMarks(
  pool: Pool,
  workspaceId: string,
  {
    agentId,
    sessions,
    marks,
  }: { readonly agentId: string; readonly sessions: readonly string[]; readonly marks: readonly string[] },
): Promise<void> {
  await pool.query({
    name: "session_mark_set",
    text: `INSERT INTO session_mark (workspace_id, session_id, mark, agent_id, set_at)
           SELECT $1, session_id, mark, $2, clock_timestamp() FROM unnest($3::text[]) AS session_id, unnest($4::text[]) AS mark
           ORDER BY session_id, mark
           ON CONFLICT (workspace_id, session_id, mark) DO UPDATE SET set_at = greatest(session_mark.set_at, excluded.set_at)`,
    values: [workspaceId, agentId, sessions, marks],
  });
}

export interface MarkRow {
  readonly session_id: string;
  readonly mark: string;
  readonly agent_name: string;
  readonly set_at: Date;
}

/** The marks of some sessions with the agent that set each first, the newest first. */
export async function listMarks(
  pool: Pool,
  workspaceId: string,
  { sessionIds, limit }: { readonly sessionIds: readonly string[]; readonly limit: number },
): Promise<readonly MarkRow[]> {
  const { rows } = await pool.query<MarkRow>({
    name: "session_marks",
    text: `SELECT one.session_id, one.mark, agent.name AS agent_name, one.set_at FROM session_mark AS one
           JOIN agent ON agent.workspace_id = one.workspace_id AND agent.id = one.agent_id
           WHERE one.workspace_id = $1 AND one.session_id = ANY ($2::text[]) ORDER BY one.set_at DESC, one.mark, one.session_id LIMIT $3`,
    values: [workspaceId, sessionIds, limit],
  });
  return rows;
}

export interface SetMark {
  /** The session that the mark applies to: its own, or one below it. */
  readonly sessionId: string;
  readonly mark: string;
  /** The latest instant, in milliseconds since 1970. Earlier ones are not kept. */
  readonly setAtMs: number;
}

/** The marks of these sessions and of the sessions above them. */
export async function listSetMarks(
  pool: Pool,
  workspaceId: string,
  sessions: readonly string[],
  marks: readonly string[],
): Promise<readonly SetMark[]> {
  const { rows } = await pool.query<SetMark>({
    name: "session_marks_set",
    text: `WITH RECURSIVE above AS (
             SELECT one AS own, one AS session_id, 0 AS level FROM unnest($2::text[]) AS one
             UNION
             SELECT own, parent.parent_session_id, level + 1 FROM above JOIN session AS parent
               ON parent.workspace_id = $1 AND parent.session_id = above.session_id
             WHERE parent.parent_session_id IS NOT NULL AND level < ${LEVELS_MAX})
           SELECT own AS "sessionId", mark, extract(epoch FROM max(set_at))::float8 * 1000 AS "setAtMs"
           FROM above JOIN session_mark AS one ON one.workspace_id = $1 AND one.session_id = above.session_id AND mark = ANY ($3)
           GROUP BY own, mark`,
    values: [workspaceId, sessions, marks],
  });
  return rows;
}
