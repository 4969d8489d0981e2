/** The statements of a merge of two principals. */
import type { Tx } from "../platform/db.ts";

/** A principal and those that were merged into it. */
export async function listFamily(tx: Tx, workspaceId: string, id: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM principal WHERE workspace_id = ${workspaceId}::uuid AND (id = ${id}::uuid OR merged_into = ${id}::uuid)`;
  return rows.map((row) => row.id);
}

/** Points `from`, and those that were merged into it, at `into`. Agents, sessions and tokens of `from` are of `into` then. */
export async function merge(tx: Tx, workspaceId: string, from: string, into: string): Promise<void> {
  await tx.$executeRaw`UPDATE principal SET merged_into = ${into}::uuid
    WHERE workspace_id = ${workspaceId}::uuid AND (id = ${from}::uuid OR merged_into = ${from}::uuid)`;
  await tx.$executeRaw`UPDATE agent_owner SET principal_id = ${into}::uuid
    WHERE workspace_id = ${workspaceId}::uuid AND principal_id = ${from}::uuid`;
  await tx.$executeRaw`UPDATE agent_owner SET former_principal_id = ${into}::uuid
    WHERE workspace_id = ${workspaceId}::uuid AND former_principal_id = ${from}::uuid`;
  await tx.$executeRaw`UPDATE session_principal SET principal_id = ${into}::uuid
    WHERE workspace_id = ${workspaceId}::uuid AND principal_id = ${from}::uuid`;
}

/** Locks these rows in one order, so that two merges wait for each other. */
export async function lockForMerge(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return tx.$queryRawUnsafe<{ id: string; kind: string; isUsable: boolean }[]>(
    `SELECT id, kind, merged_into IS NULL AND erased_at IS NULL AS "isUsable" FROM principal
     WHERE workspace_id = $1::uuid AND id = ANY ($2::text[]::uuid[]) ORDER BY id FOR UPDATE`,
    workspaceId,
    [...ids],
  );
}
