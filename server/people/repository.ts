import type { Tx } from "../platform/db.ts";

/** People, their one-time sign-in links and their browser sessions. Tokens are stored as SHA-256 only. */

export function findWorkspace(tx: Tx) {
  return tx.workspace.findFirst({ orderBy: { createdAt: "asc" } });
}

export function findWorkspaceById(tx: Tx, id: string) {
  return tx.workspace.findUnique({ where: { id } });
}

export async function insertWorkspace(tx: Tx, id: string, name: string): Promise<void> {
  await tx.workspace.create({ data: { id, name } });
  await tx.$executeRaw`INSERT INTO audit_head (workspace_id) VALUES (${id}::uuid)`;
}

export async function insertPerson(tx: Tx, workspaceId: string, id: string, name: string): Promise<void> {
  await tx.person.create({ data: { workspaceId, id, name } });
}

export function findFirstPerson(tx: Tx, workspaceId: string) {
  return tx.person.findFirst({ where: { workspaceId }, orderBy: { createdAt: "asc" } });
}

export function countSessions(tx: Tx, workspaceId: string): Promise<number> {
  return tx.browserSession.count({ where: { workspaceId, expiresAt: { gt: new Date() } } });
}

export async function insertLink(tx: Tx, workspaceId: string, personId: string, token: Uint8Array, expiresAt: Date) {
  await tx.signInLink.create({ data: { workspaceId, personId, tokenSha256: new Uint8Array(token), expiresAt } });
}

/** Spends the link; null when it is unknown, used or expired. A link is spent once, whoever races for it. */
export async function spendLink(tx: Tx, token: Uint8Array, now: Date) {
  const tokenSha256 = new Uint8Array(token);
  const spent = await tx.signInLink.updateMany({
    where: { tokenSha256, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return spent.count === 1 ? tx.signInLink.findUnique({ where: { tokenSha256 } }) : null;
}

export async function insertSession(tx: Tx, workspaceId: string, personId: string, token: Uint8Array, expiresAt: Date) {
  await tx.browserSession.create({ data: { workspaceId, personId, tokenSha256: new Uint8Array(token), expiresAt } });
}

export function findSession(tx: Tx, token: Uint8Array, now: Date) {
  return tx.browserSession.findFirst({
    where: { tokenSha256: new Uint8Array(token), expiresAt: { gt: now } },
    include: { person: { include: { workspace: true } } },
  });
}

export async function deleteSession(tx: Tx, token: Uint8Array): Promise<void> {
  await tx.browserSession.deleteMany({ where: { tokenSha256: new Uint8Array(token) } });
}

/** Whether any agent or policy of the workspace is demo data. */
export async function hasDemo(tx: Tx, workspaceId: string): Promise<boolean> {
  const [agent, policy] = await Promise.all([
    tx.agent.findFirst({ where: { workspaceId, isDemo: true }, select: { id: true } }),
    tx.policy.findFirst({ where: { workspaceId, isDemo: true }, select: { id: true } }),
  ]);
  return agent !== null || policy !== null;
}
