/**
 * A counter per workspace that every change of what is in force raises, in the transaction of the change. It is at
 * least the time of the change in milliseconds. A restored database is behind the numbers that agents have seen, and
 * one raise puts it ahead.
 */
import type { Bus } from "../../events/index.ts";
import type { Database, Tx } from "../../platform/db.ts";

/** Raises the counter of the workspace `$1`. */
export const RAISE_SEQUENCE_SQL = `INSERT INTO policy_sequence (workspace_id, value)
  VALUES ($1::uuid, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (workspace_id) DO UPDATE SET value = greatest(policy_sequence.value + 1, excluded.value)`;

/** Locks the workspace's counter until the transaction ends, so it must be last. */
export async function raiseSequence(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRawUnsafe(RAISE_SEQUENCE_SQL, workspaceId);
}

/**
 * Raises the counter of every workspace and makes all nodes read it again. Each server start does this, because the
 * database may have been restored. Runs in the scope of the installation.
 */
export async function raiseSequences(db: Database, bus: Bus): Promise<void> {
  const raised = await db.prisma.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`INSERT INTO policy_sequence (workspace_id, value)
      SELECT id, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM workspace ORDER BY id
      ON CONFLICT (workspace_id) DO UPDATE SET value = greatest(policy_sequence.value + 1, excluded.value)
      RETURNING workspace_id AS id`;
    const messages = rows.map(({ id }) => bus.message(id, ["policies"]));
    await tx.$executeRaw`SELECT pg_notify(${bus.channel}, message) FROM unnest(${messages}::text[]) AS message`;
    return rows;
  });
  for (const { id } of raised) bus.announce(id, ["policies"]);
}

/** The counter now; 0 in a workspace where nothing was ever put in force. */
export async function findSequence(tx: Tx, workspaceId: string): Promise<number> {
  const found = await tx.policySequence.findFirst({ where: { workspaceId } });
  return Number(found?.value ?? 0);
}
