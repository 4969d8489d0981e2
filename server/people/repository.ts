import { PAGE_ROWS } from "../access/role-schema.ts";
import type { Tx } from "../platform/db.ts";
import { deleteLinks } from "./link-repository.ts";

/** Workspaces, people, their memberships. */

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

/**
 * Locks an address: of two transactions that would give it to a person, the second waits and then sees the result of
 * the first.
 */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7204, hashtext(${email}))`;
}

/** Returns the person, locked: they can join no workspace until the transaction ends. */
export async function findPersonForUpdate(tx: Tx, id: string) {
  await tx.$queryRaw`SELECT id FROM person WHERE id = ${id}::uuid FOR UPDATE`;
  return findPerson(tx, id);
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

/**
 * Adds a person to a workspace. Links that were checked against the earlier memberships become invalid. `invitedById`:
 * the creator of the invitation link, or null. `endsAt`: from then on it opens nothing. Needs the scope of the installation: the account's makers are copied
 * from its other workspaces.
 */
export async function insertMembership(
  tx: Tx,
  workspaceId: string,
  personId: string,
  role: string,
  { invitedById = null, endsAt = null }: { readonly invitedById?: string | null; readonly endsAt?: Date | null } = {},
): Promise<void> {
  await tx.membership.create({ data: { workspaceId, personId, role, invitedById, endsAt } });
  await copyMakers(tx, workspaceId, personId);
  await deleteLinks(tx, personId);
}

/** Has a workspace know the makers of an account as its other workspaces do, and their makers in turn. */
async function copyMakers(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx.$executeRaw`
    WITH RECURSIVE made AS (
      SELECT one.account_id, one.maker_id, one.was_proven FROM account_maker AS one
        WHERE one.account_id = ${personId} AND one.workspace_id <> ${workspaceId}::uuid
      UNION
      SELECT one.account_id, one.maker_id, one.was_proven FROM account_maker AS one JOIN made ON one.account_id = made.maker_id
        WHERE one.workspace_id <> ${workspaceId}::uuid)
    INSERT INTO account_maker (workspace_id, account_id, maker_id, was_proven)
      SELECT ${workspaceId}::uuid, made.account_id, made.maker_id,
        bool_or(made.was_proven OR coalesce(person.email_verified, false))
      FROM made LEFT JOIN person ON person.id = made.account_id::uuid
      GROUP BY made.account_id, made.maker_id
    ON CONFLICT DO NOTHING`;
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

/** A page of members. */
export function listMembers(tx: Tx, workspaceId: string, cursor: string | null) {
  return tx.membership.findMany({
    where: { workspaceId, ...(cursor === null ? {} : { personId: { gt: cursor } }) },
    include: { person: true, sessions: { where: { expiresAt: { gt: new Date() } }, select: { lastSeenAt: true } } },
    orderBy: { personId: "asc" },
    take: PAGE_ROWS,
  });
}

/** The workspace's owners, locked: of two that would remove the last two, the second waits and then sees one. */
export async function listOwnersForUpdate(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ person_id: string }[]>`
    SELECT person_id FROM membership WHERE workspace_id = ${workspaceId}::uuid AND role = 'owner'
    ORDER BY created_at, person_id FOR UPDATE`;
  return rows.map((row) => row.person_id);
}

/** Sets the role; an owner's access has no end. Links that were checked against the former role become invalid. */
export async function updateRole(tx: Tx, workspaceId: string, personId: string, role: string): Promise<void> {
  await tx.membership.update({
    where: { workspaceId_personId: { workspaceId, personId } },
    data: { role, ...(role === "owner" && { endsAt: null }) },
  });
  await deleteLinks(tx, personId);
}

/** Sets the end of a membership that has not ended. False when it has. */
export async function updateAccessEnd(
  tx: Tx,
  workspaceId: string,
  personId: string,
  { now, endsAt }: { readonly now: Date; readonly endsAt: Date | null },
): Promise<boolean> {
  const where = { workspaceId, personId, endsAt: { gt: now } };
  return (await tx.membership.updateMany({ where, data: { endsAt } })).count === 1;
}

/** Removes a membership, with the sessions in this workspace and unspent links. */
export async function deleteMembership(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx.membership.delete({ where: { workspaceId_personId: { workspaceId, personId } } });
}

const ENDED_MAX = 100;

/** Memberships whose end has come, in every workspace. */
export function listEnded(tx: Tx, now: Date) {
  const select = { workspaceId: true, personId: true };
  return tx.membership.findMany({
    where: { endsAt: { lte: now } },
    select,
    orderBy: { endsAt: "asc" },
    take: ENDED_MAX,
  });
}

/** The membership if its end has come, locked; null when another node removed it. */
export async function findEndedForUpdate(tx: Tx, workspaceId: string, personId: string, now: Date) {
  await tx.$queryRaw`SELECT 1 FROM membership
    WHERE workspace_id = ${workspaceId}::uuid AND person_id = ${personId}::uuid FOR UPDATE`;
  const where = { workspaceId, personId, endsAt: { lte: now } };
  return tx.membership.findFirst({ where, include: { person: true } });
}

/** True if any agent or policy of the workspace is demo data. */
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

export async function setSignedIn(tx: Tx, id: string): Promise<void> {
  await tx.person.updateMany({ where: { id }, data: { signedInAt: new Date() } });
}

/** True once any person has signed in. */
export async function hasSignedIn(tx: Tx): Promise<boolean> {
  return (await tx.person.findFirst({ where: { signedInAt: { not: null } }, select: { id: true } })) !== null;
}

/** Removes the person's password and second factor. */
export async function deleteCredentials(tx: Tx, personId: string): Promise<void> {
  await tx.personAccount.deleteMany({ where: { personId, providerId: "credential" } });
  await tx.personSecondFactor.deleteMany({ where: { personId } });
  await tx.person.update({ where: { id: personId }, data: { twoFactorEnabled: false } });
}

/** Leaves the password as the only way to sign in to the account. */
export async function keepOnlyPassword(tx: Tx, personId: string): Promise<void> {
  await tx.personAccount.deleteMany({ where: { personId, providerId: { not: "credential" } } });
  await tx.personSecondFactor.deleteMany({ where: { personId } });
  await tx.person.update({ where: { id: personId }, data: { twoFactorEnabled: false } });
}

/** Records the half minute of a code that was just used; false when it or a later one was used before. */
export async function spendStep(tx: Tx, personId: string, step: number): Promise<boolean> {
  const spent = await tx.personSecondFactor.updateMany({
    where: { personId, OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
    data: { lastStep: step },
  });
  return spent.count > 0;
}

export function findSecondFactor(tx: Tx, personId: string) {
  return tx.personSecondFactor.findFirst({ where: { personId } });
}

/** The providers that a person can sign in with: without the credentials themselves. */
export function listAccounts(tx: Tx, personId: string) {
  return tx.personAccount.findMany({ where: { personId }, select: { providerId: true } });
}

export async function hasPasswords(tx: Tx): Promise<boolean> {
  return (await tx.personAccount.findFirst({ where: { providerId: "credential" }, select: { id: true } })) !== null;
}
