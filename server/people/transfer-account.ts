/** The moment an address is proven, and what opened the account before it (docs/adr/0029-proof-of-an-address.md). */
import { recordAudit } from "../audit/record-audit.ts";
import type { Tx } from "../platform/db.ts";
import { notifyAccessChangeOf } from "./access-changes.ts";
import * as invitations from "./invitation-repository.ts";
import { deleteLinks, deleteVerifications } from "./link-repository.ts";
import * as people from "./repository.ts";
import { deleteSessions } from "./session-repository.ts";

interface Addressed {
  readonly id: string;
  readonly email: string | null;
}

/**
 * True when every workspace of the person admitted exactly this address by an invitation. Then anyone who proves the
 * address may have the account; an address that its owner entered later does not transfer it.
 */
export async function isAddressInvitedEverywhere(tx: Tx, { id, email }: Addressed): Promise<boolean> {
  if (email === null) return false;
  for (const { workspaceId } of await people.listMemberships(tx, id))
    if (!(await invitations.wasAccepted(tx, workspaceId, email))) return false;
  return true;
}

/**
 * Gives the account to the person who has just proved its address: its password, second factor, sessions and links end.
 * `how` is for the audit record.
 */
export async function transferAccount(tx: Tx, personId: string, how: string): Promise<void> {
  await people.deleteCredentials(tx, personId);
  // A provider's statement about another address does not prove this one.
  if (how !== "sign-on") await people.keepOnlyPassword(tx, personId);
  await deleteSessions(tx, personId);
  await deleteLinks(tx, personId);
  await deleteVerifications(tx, personId);
  await people.updatePerson(tx, personId, { emailVerified: true });
  await notifyAccessChangeOf(tx, personId);
  const name = (await people.findPerson(tx, personId))?.name ?? "";
  for (const { workspaceId } of await people.listMemberships(tx, personId)) {
    const who = { kind: "person", id: personId, name, workspaceId } as const;
    await recordAudit(tx, who, {
      kind: "account_used",
      version: 1,
      by: name,
      person: personId,
      act: "address_proven",
      how,
    });
  }
}
