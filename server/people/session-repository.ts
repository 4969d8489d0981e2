import type { Tx } from "../platform/db.ts";

/** A membership that has not ended. */
const open = (now: Date) => ({ OR: [{ endsAt: null }, { endsAt: { gt: now } }] });

/** Browser sessions, by the sha256 of their token in hex. */

export interface NewSession {
  readonly id: string;
  readonly personId: string;
  readonly tokenSha256: string;
  readonly expiresAt: Date;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Null: it proves too little for the gravest acts (access/step-up.ts). */
  readonly confirmedAt: Date | null;
}

export async function insertSession(tx: Tx, workspaceId: string, session: NewSession): Promise<void> {
  await tx.browserSession.create({ data: { workspaceId, ...session } });
}

/** The session of this token, or, for a little while, the one whose token this was. */
export function findSession(tx: Tx, tokenSha256: string, now: Date) {
  return tx.browserSession.findFirst({
    where: {
      expiresAt: { gt: now },
      membership: open(now),
      OR: [{ tokenSha256 }, { formerSha256: tokenSha256, formerUntil: { gt: now } }],
    },
    include: { membership: { include: { person: true } } },
  });
}

/** Deletes the session; returns its workspace, if there was one. */
export async function deleteSession(tx: Tx, tokenSha256: string): Promise<string[]> {
  const where = { OR: [{ tokenSha256 }, { formerSha256: tokenSha256 }] };
  const found = await tx.browserSession.findMany({ where, select: { workspaceId: true } });
  await tx.browserSession.deleteMany({ where });
  return found.map(({ workspaceId }) => workspaceId);
}

/** True when there was one. A person ends their own alone. */
export async function deleteSessionOf(tx: Tx, personId: string, id: string): Promise<boolean> {
  return (await tx.browserSession.deleteMany({ where: { id, personId } })).count === 1;
}

/** Every browser of the person. */
export async function deleteSessions(tx: Tx, personId: string): Promise<void> {
  await tx.browserSession.deleteMany({ where: { personId } });
}

/** The session as long as it opens, with the role it opens with. */
export function findOpenSession(tx: Tx, id: string, now: Date) {
  const where = { id, expiresAt: { gt: now }, membership: open(now) };
  return tx.browserSession.findFirst({ where, include: { membership: true } });
}

/** True when the person has a session that began at this address. */
export async function isKnownAddress(tx: Tx, personId: string, ip: string): Promise<boolean> {
  return (await tx.browserSession.findFirst({ where: { personId, ip }, select: { id: true } })) !== null;
}

export async function deleteSessionById(tx: Tx, id: string): Promise<void> {
  await tx.browserSession.deleteMany({ where: { id } });
}

/** Signs out the person's other browsers and returns their number. */
export async function deleteOtherSessions(tx: Tx, personId: string, exceptId: string): Promise<number> {
  return (await tx.browserSession.deleteMany({ where: { personId, id: { not: exceptId } } })).count;
}

export function listSessions(tx: Tx, personId: string, now: Date) {
  return tx.browserSession.findMany({
    where: { personId, expiresAt: { gt: now } },
    orderBy: { lastSeenAt: "desc" },
    take: 100,
  });
}

/** Marks the person's sessions in this workspace: each gets a new token with its next request. */
export async function demandRenewal(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx.browserSession.updateMany({ where: { workspaceId, personId }, data: { mustRenew: true } });
}

/** Gives the session its new token; false when another request has just done so. */
export async function rotateToken(
  tx: Tx,
  session: { id: string; from: string; to: string; formerUntil: Date },
): Promise<boolean> {
  const { id, from, to, formerUntil } = session;
  const renewed = await tx.browserSession.updateMany({
    where: { id, tokenSha256: from, mustRenew: true },
    data: { tokenSha256: to, formerSha256: from, formerUntil, mustRenew: false },
  });
  return renewed.count === 1;
}

/** Stores a new confirmation of identity in this browser. Returns the session's workspace. */
export async function confirmSession(tx: Tx, id: string, now: Date): Promise<string> {
  return (await tx.browserSession.update({ where: { id }, data: { confirmedAt: now } })).workspaceId;
}

/** Extends a used session by `idleMs` from now, to at most `validMs` from its beginning. */
export async function touchSession(tx: Tx, id: string, idleMs: number, validMs: number): Promise<void> {
  await tx.$executeRaw`UPDATE browser_session SET last_seen_at = now(),
      expires_at = least(now() + ${idleMs} * interval '1 millisecond', created_at + ${validMs} * interval '1 millisecond')
    WHERE id = ${id}::uuid AND expires_at > now()`;
}

export async function lookAtWorkspace(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.browserSession.update({ where: { id }, data: { workspaceId, mustRenew: true } });
}

/** The session a person looked through last, also an ended one. */
export function findLatestSession(tx: Tx, personId: string) {
  return tx.browserSession.findFirst({ where: { personId }, orderBy: { lastSeenAt: "desc" } });
}
