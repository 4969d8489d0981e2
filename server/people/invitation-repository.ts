import { PAGE_ROWS } from "../access/role-schema.ts";
import type { Tx } from "../platform/db.ts";
import type { Maker } from "./link-repository.ts";

/** Invitations. Open: neither accepted nor withdrawn nor expired. */
const open = (now: Date) => ({ acceptedAt: null, withdrawnAt: null, expiresAt: { gt: now } });

export interface NewInvitation {
  readonly id: string;
  readonly tokenSha256: Uint8Array;
  readonly email: string;
  readonly role: string;
  readonly invitedBy: string;
  readonly maker: Maker;
  readonly expiresAt: Date;
  /** Null without an end. */
  readonly accessDays: number | null;
}

export async function insert(tx: Tx, workspaceId: string, { maker, ...invitation }: NewInvitation): Promise<void> {
  const tokenSha256 = new Uint8Array(invitation.tokenSha256);
  const made = { makerKind: maker.kind, makerId: maker.id };
  await tx.invitation.create({ data: { workspaceId, ...invitation, ...made, tokenSha256 } });
}

/** Notes that the link was sent by mail only and never shown. */
export async function markLinkMailedOnly(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.invitation.updateMany({ where: { workspaceId, id }, data: { isMailedOnly: true } });
}

/** True when a person accepted an invitation of this address to the workspace. */
export async function wasAccepted(tx: Tx, workspaceId: string, email: string): Promise<boolean> {
  const where = { workspaceId, email, acceptedAt: { not: null } };
  return (await tx.invitation.findFirst({ where, select: { id: true } })) !== null;
}

/** A page of open invitations, the newest first. */
export function listOpen(tx: Tx, workspaceId: string, now: Date, cursor: string | null) {
  return tx.invitation.findMany({
    where: { workspaceId, ...open(now), ...(cursor === null ? {} : { id: { lt: cursor } }) },
    orderBy: { id: "desc" },
    take: PAGE_ROWS,
  });
}

/** Open invitations of an address in all workspaces. */
export function listOpenByEmail(tx: Tx, email: string, now: Date) {
  return tx.invitation.findMany({ where: { email, ...open(now) }, orderBy: { createdAt: "asc" }, take: 50 });
}

/** The open invitation of this token, of any workspace: the token itself says where to. */
export function findOpen(tx: Tx, tokenSha256: Uint8Array, now: Date) {
  return tx.invitation.findFirst({
    where: { tokenSha256: new Uint8Array(tokenSha256), ...open(now) },
    include: { workspace: true },
  });
}

/** Accepts an invitation; false when it is no longer open. Of two concurrent calls, one succeeds. */
export async function accept(tx: Tx, workspaceId: string, id: string, now: Date): Promise<boolean> {
  const accepted = await tx.invitation.updateMany({
    where: { workspaceId, id, ...open(now) },
    data: { acceptedAt: now },
  });
  return accepted.count === 1;
}

export async function withdraw(tx: Tx, workspaceId: string, id: string, now: Date) {
  const withdrawn = await tx.invitation.updateManyAndReturn({
    where: { workspaceId, id, ...open(now) },
    data: { withdrawnAt: now },
  });
  return withdrawn[0] ?? null;
}

/**
 * Withdraws the open invitations that this maker may no longer make: all of them, or those for `role`. Returns the
 * withdrawn ones.
 */
export function withdrawByMaker(tx: Tx, workspaceId: string, maker: Maker, now: Date, role?: string) {
  return tx.invitation.updateManyAndReturn({
    where: { workspaceId, makerKind: maker.kind, makerId: maker.id, ...(role && { role }), ...open(now) },
    data: { withdrawnAt: now },
  });
}

/** Withdraws the open invitations of an address, so that a new invitation is the only open one. */
export async function withdrawByEmail(tx: Tx, workspaceId: string, email: string, now: Date): Promise<void> {
  await tx.invitation.updateMany({ where: { workspaceId, email, ...open(now) }, data: { withdrawnAt: now } });
}
