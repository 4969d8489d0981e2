/** The statements of exceptions that lapse. */
import type { Pool, PoolClient } from "../platform/db.ts";

const IS_DUE = "ended_at IS NULL AND lapsed_at IS NULL AND expires_at <= clock_timestamp()";

export async function listDueWorkspaces(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ workspaceId: string }>(
    `SELECT DISTINCT workspace_id AS "workspaceId" FROM policy_exception WHERE ${IS_DUE}`,
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

export interface LapsedException {
  readonly id: string;
  readonly number: number | null;
  readonly ownerId: string | null;
}

/** Two nodes never note the same one: its row is locked, or noted already. */
export async function lapseDue(
  client: PoolClient,
  workspaceId: string,
  limit: number,
): Promise<readonly LapsedException[]> {
  const { rows } = await client.query<LapsedException>(
    `UPDATE policy_exception SET lapsed_at = clock_timestamp()
     WHERE workspace_id = $1 AND id IN (SELECT id FROM policy_exception WHERE workspace_id = $1 AND ${IS_DUE}
       ORDER BY expires_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING id, number::float8 AS number, made_by_id AS "ownerId"`,
    [workspaceId, limit],
  );
  return rows;
}
