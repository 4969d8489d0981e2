import { PAGE_ROWS } from "../../access/role-schema.ts";
import type { Tx } from "../../platform/db.ts";

/** Service accounts and their tokens, which are stored as SHA-256 only. */

/** A page of service accounts, the oldest first. */
export function list(tx: Tx, workspaceId: string, cursor: string | null) {
  return tx.serviceAccount.findMany({
    where: { workspaceId, ...(cursor === null ? {} : { id: { gt: cursor } }) },
    include: { tokens: { orderBy: { createdAt: "desc" } } },
    orderBy: { id: "asc" },
    take: PAGE_ROWS,
  });
}

export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.serviceAccount.findFirst({ where: { workspaceId, id } });
}

/** False when the name is taken. */
export async function insert(tx: Tx, workspaceId: string, account: { id: string; name: string; role: string }) {
  const made = await tx.serviceAccount.createMany({ data: [{ workspaceId, ...account }], skipDuplicates: true });
  return made.count === 1;
}

/** Its tokens go with it. */
export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.serviceAccount.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

export interface NewToken {
  readonly id: string;
  readonly accountId: string;
  readonly tokenSha256: Uint8Array;
  readonly hint: string;
  readonly expiresAt: Date;
  readonly createdById: string;
}

export async function insertToken(tx: Tx, workspaceId: string, token: NewToken): Promise<void> {
  await tx.serviceToken.create({ data: { workspaceId, ...token, tokenSha256: new Uint8Array(token.tokenSha256) } });
}

/** Revokes a token; false when it does not exist or was revoked before. */
export async function revokeToken(tx: Tx, workspaceId: string, accountId: string, id: string, now: Date) {
  const where = { workspaceId, accountId, id, revokedAt: null };
  return (await tx.serviceToken.updateMany({ where, data: { revokedAt: now } })).count === 1;
}

/** The token with this hash, in any workspace: the token determines the workspace. */
export function findToken(tx: Tx, tokenSha256: Uint8Array) {
  return tx.serviceToken.findFirst({
    where: { tokenSha256: new Uint8Array(tokenSha256) },
    include: { account: true },
  });
}

export async function touchToken(tx: Tx, workspaceId: string, id: string, now: Date): Promise<void> {
  await tx.serviceToken.updateMany({ where: { workspaceId, id }, data: { lastUsedAt: now } });
}
