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
 * True when every workspace that the person is in let in their address, and nobody else under it. Whoever proves the
 * address may then have the account; one that its owner gave an address to stays its owner's.
 */
export async function isAddressInvitedEverywhere(tx: Tx, { id, email }: Addressed): Promise<boolean> {
  if (email === null) return false;
  for (const { workspaceId } of await people.listMemberships(tx, id))
    if (!(await invitations.wasAccepted(tx, workspaceId, email))) return false;
  return true;
}

/**
 * The account is that of whoever just proved its address: the password, the second factor, the sessions and the links it
 * was opened with until now end. `how` is for the record.
 */
export async function transferAccount(tx: Tx, personId: string, how: string): Promise<void> {
  await people.deleteCredentials(tx, personId);
  // A provider's word for another address is no proof of this one.
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
