/** The statements of a gateway's leases. */
import type { Pool, PoolClient } from "../platform/db.ts";

export async function insert(client: PoolClient, workspaceId: string, holder: string, forMs: number): Promise<void> {
  await client.query({
    name: "approval_lease_insert",
    text: `INSERT INTO approval_lease (workspace_id, holder, held_until)
      VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')`,
    values: [workspaceId, holder, forMs],
  });
}

/** False when it ended, or was never held. */
export async function extend(
  client: Pool | PoolClient,
  workspaceId: string,
  holder: string,
  forMs: number,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "approval_lease_extend",
    text: `UPDATE approval_lease SET held_until = clock_timestamp() + $3 * interval '1 millisecond'
      WHERE workspace_id = $1 AND holder = $2 AND held_until > clock_timestamp()`,
    values: [workspaceId, holder, forMs],
  });
  return rowCount === 1;
}

/** Removes leases that ended long ago; requests without a lease count as over in the same way. */
export async function removeEnded(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM approval_lease WHERE held_until < now() - interval '1 day'");
}

/**
 * SQL condition: true once a request can no longer be answered, because it expired or its gateway is gone. `clock` is
 * an SQL expression.
 */
export const isOver = (request: string, clock: "now()" | "clock_timestamp()"): string =>
  `(${request}.expires_at <= ${clock} OR coalesce(${request}.lease_until <= ${clock}, false)
    OR (${request}.lease_holder IS NOT NULL AND NOT EXISTS (SELECT FROM approval_lease AS lease
      WHERE lease.workspace_id = ${request}.workspace_id AND lease.holder = ${request}.lease_holder AND lease.held_until > ${clock})))`;
