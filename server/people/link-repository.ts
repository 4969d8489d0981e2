import type { Tx } from "../platform/db.ts";

/** Links that open an account: one-time sign-in links, and those by which an admin lets a member set a new password. */

export interface NewSignInLink {
  readonly personId: string;
  readonly tokenSha256: Uint8Array;
  readonly expiresAt: Date;
  /** The person who made it in a browser; null when it was made on the machine. */
  readonly madeBy: string | null;
}

export async function insertSignInLink(tx: Tx, workspaceId: string, link: NewSignInLink): Promise<void> {
  await tx.signInLink.create({ data: { workspaceId, ...link, tokenSha256: new Uint8Array(link.tokenSha256) } });
}

/** Spends the link; null when it is unknown, used or expired. Of concurrent calls, one succeeds. */
export async function spendSignInLink(tx: Tx, token: Uint8Array, now: Date) {
  const tokenSha256 = new Uint8Array(token);
  const spent = await tx.signInLink.updateMany({
    where: { tokenSha256, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  return spent.count === 1 ? tx.signInLink.findFirst({ where: { tokenSha256 } }) : null;
}

/** The maker of a link: a person, the machine's script or a service account. */
export interface Maker {
  readonly kind: "person" | "script" | "service";
  readonly id: string;
}

export interface NewPasswordLink {
  readonly personId: string;
  readonly tokenSha256: Uint8Array;
  readonly maker: Maker;
  readonly expiresAt: Date;
}

export async function insertPasswordLink(
  tx: Tx,
  workspaceId: string,
  { personId, tokenSha256, maker, expiresAt }: NewPasswordLink,
): Promise<void> {
  await tx.passwordLink.create({
    data: {
      workspaceId,
      personId,
      tokenSha256: new Uint8Array(tokenSha256),
      makerKind: maker.kind,
      makerId: maker.id,
      expiresAt,
    },
  });
}

export function findPasswordLink(tx: Tx, token: Uint8Array, now: Date) {
  return tx.passwordLink.findFirst({ where: { tokenSha256: new Uint8Array(token), expiresAt: { gt: now } } });
}

/** Every link of this maker in the workspace ends. */
export async function deletePasswordLinksBy(tx: Tx, workspaceId: string, maker: Maker): Promise<void> {
  await tx.passwordLink.deleteMany({ where: { workspaceId, makerKind: maker.kind, makerId: maker.id } });
}

/** Deletes the links that other people, and the person's own browsers, could use. Links made on the machine stay. */
export async function deleteLinks(tx: Tx, personId: string): Promise<void> {
  await tx.passwordLink.deleteMany({ where: { personId } });
  await tx.signInLink.deleteMany({ where: { personId, usedAt: null, madeBy: { not: null } } });
}

/** The person's mailed links, second factors that are waited for, and browsers that need none. */
export async function deleteVerifications(tx: Tx, personId: string): Promise<void> {
  await tx.personVerification.deleteMany({ where: { value: personId } });
}
