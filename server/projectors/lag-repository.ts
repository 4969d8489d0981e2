/**
 * The lag of a workspace's figures behind its log. Batches and administrative entries share one sequence, assigned
 * under the head's lock until the commit: a reader who sees a number sees all before it.
 */
import type { Pool, PoolClient, Tx } from "../platform/db.ts";

export interface Progress {
  /** The figures hold every entry up to it. */
  readonly seq: number;
  /** The number of the last committed batch; 0 without a batch. */
  readonly recorded: number;
}

export async function findProgress(pool: Pool, workspaceId: string): Promise<Progress> {
  const { rows } = await pool.query<Progress>({
    name: "projection_progress",
    text: `SELECT coalesce((SELECT seq FROM projection_cursor WHERE workspace_id = $1), 0)::float8 AS seq,
             coalesce((SELECT seq FROM chain_batch WHERE workspace_id = $1 ORDER BY chain_batch.seq DESC LIMIT 1), 0)::float8
               AS recorded`,
    values: [workspaceId],
  });
  return rows[0] ?? { seq: 0, recorded: 0 };
}

const BEGIN_SQL = "INSERT INTO projection_cursor (workspace_id) VALUES ($1::uuid) ON CONFLICT DO NOTHING";
const LOCK_SQL = "SELECT FROM projection_cursor WHERE workspace_id = $1::uuid FOR UPDATE";

/**
 * Locks this workspace's figures until the transaction ends: later records of the log are counted after it. Take this
 * lock before that of the chain's head, which gates wait for.
 */
export async function lockFigures(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRawUnsafe(BEGIN_SQL, workspaceId);
  await tx.$executeRawUnsafe(LOCK_SQL, workspaceId);
}

/** The same over a connection of a pool. */
export async function lockFiguresOnClient(client: PoolClient, workspaceId: string): Promise<void> {
  await client.query(BEGIN_SQL, [workspaceId]);
  await client.query(LOCK_SQL, [workspaceId]);
}

/** True for a row of `dispatch` that the figures include, in the reading snapshot. */
export const IS_PROJECTED_SQL = (workspace: string): string => `(batch IS NULL OR batch <> ALL (ARRAY(
  SELECT ahead.batch FROM chain_batch AS ahead WHERE ahead.workspace_id = ${workspace} AND ahead.ids IS NOT NULL
    AND ahead.seq > coalesce((SELECT known.seq FROM projection_cursor AS known WHERE known.workspace_id = ${workspace}), 0))))`;

/** Milliseconds since the oldest batch that no figure includes was committed; 0 when all are included. */
export const LAG_MS_SQL = (workspace: string): string => `coalesce((
  SELECT greatest(extract(epoch FROM clock_timestamp() - batch.recorded_at) * 1000, 1) FROM chain_batch AS batch
  WHERE batch.workspace_id = ${workspace} AND batch.ids IS NOT NULL AND batch.seq > coalesce((
    SELECT known.seq FROM projection_cursor AS known WHERE known.workspace_id = ${workspace}), 0)
  ORDER BY batch.seq LIMIT 1), 0)::float8`;

export async function findLag(pool: Pool, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>({
    name: "projection_lag",
    text: `SELECT ${LAG_MS_SQL("$1")} AS ms`,
    values: [workspaceId],
  });
  return rows[0]?.ms ?? 0;
}

/** Records of this workspace that no figure could take. */
export async function countFailures(pool: Pool, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: "projection_failures",
    text: "SELECT count(*)::int AS count FROM projection_failure WHERE workspace_id = $1",
    values: [workspaceId],
  });
  return rows[0]?.count ?? 0;
}

/** The longest of all workspaces, in milliseconds. */
export async function findLongestLag(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>({
    name: "projection_longest_lag",
    text: `SELECT coalesce(max(${LAG_MS_SQL("behind.workspace_id")}), 0) AS ms FROM (
             SELECT head.workspace_id FROM audit_head AS head
             LEFT JOIN projection_cursor AS known ON known.workspace_id = head.workspace_id
             WHERE coalesce(known.seq, 0) < head.seq) AS behind`,
  });
  return rows[0]?.ms ?? 0;
}
