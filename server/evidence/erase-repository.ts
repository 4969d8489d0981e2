/** Blanks contents, in every table that holds a piece of them. */
import { CONTENT_SQL } from "../audit/leaf.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import { held } from "./retention-repository.ts";

/** One entry names so many dispatches; more become several entries. */
export const STEP_ROWS = 1_000;

export interface Whose {
  readonly sessionId: string | null;
  readonly agentName: string | null;
}

const THEIRS = `dispatch.workspace_id = $1 AND ($2::text IS NULL OR dispatch.session_id = $2)
  AND ($3::text IS NULL OR dispatch.agent_name = $3 OR starts_with(dispatch.agent_name, $3 || ' / ')
    OR right(dispatch.agent_name, length($3) + 3) = ' / ' || $3) AND dispatch.erased_at IS NULL`;
const HELD = held("dispatch", "dispatch.occurred_at");

/** Erases at most `STEP_ROWS` and answers whose, sorted. */
export async function eraseSome(
  client: PoolClient,
  workspaceId: string,
  { sessionId, agentName }: Whose,
): Promise<string[]> {
  await client.query("SET LOCAL statement_timeout = 30000");
  const { rows } = await client.query<{ id: string; occurred_at: Date }>(
    `UPDATE dispatch SET content_sha256 = ${CONTENT_SQL}, erased_at = now(), salt = NULL,
       input = '{}', answer = '{}', hooks = '[]', detail = NULL
     WHERE (occurred_at, id) IN (SELECT dispatch.occurred_at, dispatch.id FROM dispatch
       WHERE ${THEIRS} AND NOT ${HELD} LIMIT ${STEP_ROWS})
     RETURNING id, occurred_at`,
    [workspaceId, sessionId, agentName],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id).sort();
  const instants = rows.map(({ occurred_at }) => occurred_at.getTime());
  const span = [workspaceId, ids, new Date(Math.min(...instants)), new Date(Math.max(...instants))];
  const those = "workspace_id = $1 AND dispatch_id = ANY ($2::uuid[]) AND occurred_at BETWEEN $3 AND $4";
  for (const change of [
    `UPDATE tool_decision SET reason = '', excerpt = '' WHERE ${those}`,
    `UPDATE compaction SET effect_text = '', summary = NULL WHERE ${those}`,
    `UPDATE observation SET reason = '', hooks = '[]' WHERE ${those}`,
    // A repeat must not be answered with what is no answer any more: it is decided anew.
    `DELETE FROM delivery WHERE ${those}`,
  ])
    await client.query(change, span);
  return ids;
}

/** How many of theirs a hold keeps. */
export async function countHeld(pool: Pool, workspaceId: string, { sessionId, agentName }: Whose): Promise<number> {
  const { rows } = await pool.query<{ held: number }>(
    `SELECT count(*)::float8 AS held FROM dispatch WHERE ${THEIRS} AND ${HELD}`,
    [workspaceId, sessionId, agentName],
  );
  return rows[0]?.held ?? 0;
}
