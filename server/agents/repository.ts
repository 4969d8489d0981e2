import type { Tx } from "../platform/db.ts";

export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.agent.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: { keys: true } });
}

export function findByName(tx: Tx, workspaceId: string, name: string) {
  return tx.agent.findUnique({ where: { workspaceId_name: { workspaceId, name } } });
}

export function list(tx: Tx, workspaceId: string) {
  return tx.agent.findMany({
    where: { workspaceId },
    include: { keys: { orderBy: { createdAt: "desc" } } },
    orderBy: [{ lastSeenAt: { sort: "desc", nulls: "last" } }, { createdAt: "desc" }],
    take: 500,
  });
}

/** False when the name is taken, also by an agent that is being made at this very moment. */
export async function insert(
  tx: Tx,
  workspaceId: string,
  agent: { id: string; name: string; isDemo: boolean },
): Promise<boolean> {
  const made = await tx.agent.createMany({ data: [{ workspaceId, ...agent }], skipDuplicates: true });
  return made.count === 1;
}

export async function insertKey(
  tx: Tx,
  workspaceId: string,
  key: { id: string; agentId: string; keySha256: Uint8Array; hint: string },
): Promise<void> {
  await tx.agentKey.create({ data: { workspaceId, ...key, keySha256: new Uint8Array(key.keySha256) } });
}

/** How many keys this revoked: 0 when it does not exist or was revoked before. */
export async function revokeKey(tx: Tx, workspaceId: string, agentId: string, id: string, now: Date): Promise<number> {
  const where = { workspaceId, agentId, id, revokedAt: null };
  return (await tx.agentKey.updateMany({ where, data: { revokedAt: now } })).count;
}

/** The key with this hash in any workspace: the key itself says which one it opens. */
export function findKey(tx: Tx, keySha256: Uint8Array) {
  return tx.agentKey.findUnique({ where: { keySha256: new Uint8Array(keySha256) }, include: { agent: true } });
}
