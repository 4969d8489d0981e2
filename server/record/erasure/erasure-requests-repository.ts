/** Erasure requests as people see them. */
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { ErasureView, RequestErasure } from "../schema.ts";
import { walkPosition } from "./erasure-repository.ts";
import { DISPATCH } from "./erasure-tables.ts";

const LISTED_MAX = 200;

export async function countOpen(client: PoolClient, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM erasure_request WHERE workspace_id = $1 AND state <> 'withdrawn'",
    [workspaceId],
  );
  return rows[0]?.count ?? 0;
}

export interface NewErasure extends RequestErasure {
  readonly id: string;
  readonly alias: string;
  readonly requestedBy: string;
  /** Null for a script and a service account. */
  readonly requestedById: string | null;
}

/** Follows the chain from its present end: the head must be locked. */
export async function insert(client: PoolClient, workspaceId: string, one: NewErasure): Promise<void> {
  await client.query(
    `INSERT INTO erasure_request (workspace_id, id, session_id, agent_name, alias, reason, requested_by, requested_by_id,
       followed_seq)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, seq FROM audit_head WHERE workspace_id = $1`,
    [workspaceId, one.id, one.sessionId, one.agentName, one.alias, one.reason, one.requestedBy, one.requestedById],
  );
}

interface Row extends Omit<ErasureView, "table" | "reachedAt"> {
  readonly position: unknown;
}

export async function list(pool: Pool, workspaceId: string): Promise<ErasureView[]> {
  const { rows } = await pool.query<Row>(
    `SELECT id, session_id AS "sessionId", agent_name AS "agentName", alias, reason, requested_by AS "requestedBy",
       requested_at AS "requestedAt", state, position, erased::float8 AS erased, copies::float8 AS copies,
       held::float8 AS held, finished_at AS "finishedAt", withdrawn_at AS "withdrawnAt", withdrawn_by AS "withdrawnBy", fault
     FROM erasure_request WHERE workspace_id = $1 ORDER BY requested_at DESC, id DESC LIMIT ${LISTED_MAX}`,
    [workspaceId],
  );
  return rows.map(({ position, ...row }) => {
    const { table = null, after = null } = walkPosition.nullable().parse(position) ?? {};
    const reached = new Date(table === DISPATCH.table ? (after?.[0] ?? "") : "");
    return { ...row, table, reachedAt: Number.isNaN(reached.getTime()) ? null : reached };
  });
}

/** Withdraws a request; false when it does not exist or was withdrawn before. */
export async function withdraw(client: PoolClient, workspaceId: string, id: string, by: string): Promise<boolean> {
  const done = await client.query(
    `UPDATE erasure_request SET state = 'withdrawn', session_id = NULL, agent_name = NULL, position = NULL, fault = NULL,
       withdrawn_at = clock_timestamp(), withdrawn_by = $3
     WHERE workspace_id = $1 AND id = $2 AND state <> 'withdrawn'`,
    [workspaceId, id, by],
  );
  return done.rowCount === 1;
}
