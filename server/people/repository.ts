import type { Tx } from "../platform/db.ts";

/** Workspaces, people, their memberships, their one-time sign-in links. Tokens are stored as SHA-256 only. */

export function findWorkspace(tx: Tx) {
  return tx.workspace.findFirst({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
}

export function findWorkspaceById(tx: Tx, id: string) {
  return tx.workspace.findFirst({ where: { id } });
}

export async function insertWorkspace(tx: Tx, id: string, name: string): Promise<void> {
  await tx.workspace.create({ data: { id, name } });
  await tx.$executeRaw`INSERT INTO audit_head (workspace_id) VALUES (${id}::uuid)`;
}

export function findPerson(tx: Tx, id: string) {
  return tx.person.findFirst({ where: { id } });
}

export function findPersonByEmail(tx: Tx, email: string) {
  return tx.person.findFirst({ where: { email } });
}

export async function insertPerson(
  tx: Tx,
  person: { id: string; name: string; email?: string; emailVerified?: boolean },
): Promise<void> {
  await tx.person.create({ data: person });
}

export async function insertMembership(tx: Tx, workspaceId: string, personId: string, role: string): Promise<void> {
  await tx.membership.create({ data: { workspaceId, personId, role } });
}

export function findMembership(tx: Tx, workspaceId: string, personId: string) {
  return tx.membership.findFirst({
    where: { workspaceId, personId },
    include: { person: true },
  });
}

/** Every workspace of a person, the one they were let into first in front. */
export function listMemberships(tx: Tx, personId: string) {
  return tx.membership.findMany({
    where: { personId },
    include: { workspace: true },
    orderBy: [{ createdAt: "asc" }, { workspaceId: "asc" }],
  });
}

export function listMembers(tx: Tx, workspaceId: string) {
  return tx.membership.findMany({
    where: { workspaceId },
    include: { person: true, sessions: { where: { expiresAt: { gt: new Date() } }, select: { lastSeenAt: true } } },
    orderBy: [{ createdAt: "asc" }, { personId: "asc" }],
    take: 1_000,
  });
}

/** The workspace's owners, locked: of two that would remove the last two, the second waits and then sees one. */
export async function listOwnersForUpdate(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ person_id: string }[]>`
    SELECT person_id FROM membership WHERE workspace_id = ${workspaceId}::uuid AND role = 'owner'
    ORDER BY created_at, person_id FOR UPDATE`;
  return rows.map((row) => row.person_id);
}

export async function updateRole(tx: Tx, workspaceId: string, personId: string, role: string): Promise<void> {
  await tx.membership.update({ where: { workspaceId_personId: { workspaceId, personId } }, data: { role } });
}

/** The sessions that look at this workspace and unspent links go with it. */
export async function deleteMembership(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx.membership.delete({ where: { workspaceId_personId: { workspaceId, personId } } });
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
  return spent.count === 1 ? tx.signInLink.findFirst({ where: { tokenSha256 } }) : null;
}

/** Whether any agent or policy of the workspace is demo data. */
export async function hasDemo(tx: Tx, workspaceId: string): Promise<boolean> {
  const [agent, policy] = await Promise.all([
    tx.agent.findFirst({ where: { workspaceId, isDemo: true }, select: { id: true } }),
    tx.policy.findFirst({ where: { workspaceId, isDemo: true }, select: { id: true } }),
  ]);
  return agent !== null || policy !== null;
}

export async function updatePerson(
  tx: Tx,
  id: string,
  changed: { name?: string; email?: string; emailVerified?: boolean },
): Promise<void> {
  await tx.person.update({ where: { id }, data: { ...changed, updatedAt: new Date() } });
}

/** How a person can prove who they are: without the proofs themselves. */
export function listAccounts(tx: Tx, personId: string) {
  return tx.personAccount.findMany({ where: { personId }, select: { providerId: true } });
}

export async function hasPasswords(tx: Tx): Promise<boolean> {
  return (await tx.personAccount.findFirst({ where: { providerId: "credential" }, select: { id: true } })) !== null;
}
