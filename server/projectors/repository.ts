/** SQL of the projectors: the log, and the cursor that advances with the figures. */
import type { Pool, PoolClient, Send } from "../platform/db.ts";
import type { FactsRow, RowWords } from "../recording/index.ts";

export { flight, transaction } from "../platform/db.ts";

/** Workspaces whose log is ahead of their figures. */
export async function listBehind(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ workspace_id: string }>({
    name: "projectors_behind",
    text: `SELECT head.workspace_id FROM audit_head AS head
           LEFT JOIN projection_cursor AS known ON known.workspace_id = head.workspace_id
           WHERE coalesce(known.seq, 0) < head.seq`,
  });
  return rows.map((row) => row.workspace_id);
}

export interface Reach {
  /** The number at the cursor, which is now locked. */
  readonly seq: string;
  /** The number at the chain's head: nothing up to it is missing. */
  readonly head: string;
}

/** Null when another projector is at this workspace. */
export async function takeCursor(send: Send, workspaceId: string): Promise<Reach | null> {
  void send({
    name: "projectors_begin",
    text: "INSERT INTO projection_cursor (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING",
    values: [workspaceId],
  });
  const { rows } = await send<{ seq: string; head: string }>({
    name: "projectors_take",
    text: `SELECT known.seq, head.seq AS head FROM projection_cursor AS known
           JOIN audit_head AS head ON head.workspace_id = known.workspace_id
           WHERE known.workspace_id = $1 FOR UPDATE OF known SKIP LOCKED`,
    values: [workspaceId],
  });
  return rows[0] ?? null;
}

export function moveCursor(send: Send, workspaceId: string, seq: string): void {
  void send({
    name: "projectors_move",
    text: `UPDATE projection_cursor SET seq = $2, projected_at = clock_timestamp() WHERE workspace_id = $1 AND seq < $2`,
    values: [workspaceId, seq],
  });
}

export interface LogBatch {
  readonly seq: string;
  readonly count: number;
  readonly ids: readonly string[];
  readonly instants: readonly Date[];
}

/** Batches after the cursor in the chain's order, except those whose figures were written with them. */
export async function listBatches(
  send: Send,
  workspaceId: string,
  { seq, head }: Reach,
  limit: number,
): Promise<LogBatch[]> {
  const { rows } = await send<{ seq: string; count: number; ids: string[]; instants: Date[] }>({
    name: "projectors_batches",
    text: `SELECT seq, count, ids, instants FROM chain_batch
           WHERE workspace_id = $1 AND seq > $2 AND seq <= $3 AND ids IS NOT NULL ORDER BY seq LIMIT $4`,
    values: [workspaceId, seq, head, limit],
  });
  return rows;
}

export type LogRow = FactsRow & RowWords & { readonly facts: string | null };

/** The rows of batches, in the order of the chain; removed rows are omitted. */
export async function listRows(send: Send, workspaceId: string, batches: readonly LogBatch[]): Promise<LogRow[]> {
  const isShown = `strpos(facts, '"decision":') > 0 OR strpos(facts, '"compaction":') > 0`;
  const { rows } = await send<LogRow>({
    name: "projectors_rows",
    // The limit makes PostgreSQL look up one row after the other, regardless of its statistics.
    text: `SELECT one.* FROM unnest($2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS named (id, at, place),
           LATERAL (SELECT id, workspace_id AS "workspaceId", agent_id AS "agentId", agent_name AS "agentName",
             occurred_at AS "occurredAt", received_at AS "receivedAt", session_id AS "sessionId", event, lane, origin,
             tool_name AS "toolName", tool_use_id AS "toolUseId", tool_error AS "toolError", verdict, revision, facts, reason,
             CASE WHEN ${isShown} THEN input END AS input, CASE WHEN ${isShown} THEN answer END AS answer
             FROM dispatch WHERE workspace_id = $1 AND occurred_at = named.at AND id = named.id LIMIT 1) AS one
           ORDER BY named.place`,
    values: [workspaceId, batches.flatMap(({ ids }) => ids), batches.flatMap(({ instants }) => instants)],
  });
  return rows;
}

export interface Failure {
  readonly seq: string;
  readonly dispatchId: string;
  readonly occurredAt: Date;
  readonly trouble: string;
}

export async function addFailure(
  client: PoolClient,
  workspaceId: string,
  { seq, dispatchId, occurredAt, trouble }: Failure,
): Promise<void> {
  await client.query(
    `INSERT INTO projection_failure (workspace_id, seq, dispatch_id, occurred_at, trouble) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [workspaceId, seq, dispatchId, occurredAt, trouble],
  );
}
