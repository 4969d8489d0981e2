/** The rule of admission: an open invitation names the person by an e-mail address that their provider verified. */
import { recordAudit } from "../../audit/record-audit.ts";
import type { Database, Tx } from "../../platform/db.ts";
import * as invitations from "../invitation-repository.ts";
import { accessEnd, inviterOf, isInvitationValid } from "../link-makers.ts";
import { findPersonForUpdate, insertMembership, listMemberships } from "../repository.ts";
import { findLatestSession } from "../session-repository.ts";
import { isAddressInvitedEverywhere, transferAccount } from "../transfer-account.ts";

export async function isInvited(db: Database, email: string): Promise<boolean> {
  for (const one of await invitations.listOpenByEmail(db.prisma, email.toLowerCase(), new Date()))
    if (await isInvitationValid(db.prisma, one)) return true;
  return false;
}

/**
 * True when a visitor authenticated by the provider may have the account. `email` is the address that the provider
 * verified, or null. If the account's address had not been proven and the visitor proves it, all other access to the
 * account ends.
 */
export async function admitToAccount(
  db: Database,
  personId: string,
  email: string | null,
  action: string,
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const person = await findPersonForUpdate(tx, personId);
    if (!person) return false;
    const isLinked = action === "sign-in";
    if (person.emailVerified) return true;
    if (email === null || person.email !== email.toLowerCase()) return isLinked;
    if (!isLinked && !(await isAddressInvitedEverywhere(tx, person))) return false;
    await transferAccount(tx, personId, "sign-on");
    return true;
  });
}

/** A person just made by sign-on joins every workspace that invited their address. */
export async function admit(
  db: Database,
  person: { readonly id: string; readonly email: string; readonly name: string },
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    for (const invitation of await invitations.listOpenByEmail(tx, person.email, now)) {
      const { workspaceId, id, role } = invitation;
      if (!(await isInvitationValid(tx, invitation)) || !(await invitations.accept(tx, workspaceId, id, now))) continue;
      const membership = { invitedById: inviterOf(invitation), endsAt: accessEnd(invitation, now) };
      await insertMembership(tx, workspaceId, person.id, role, membership);
      const by = person.name === "" ? person.email : person.name;
      await recordAudit(tx, workspaceId, {
        kind: "invitation_accepted",
        version: 1,
        by,
        invitation: id,
        person: person.id,
        email: person.email,
        role,
      });
    }
  });
}

/** The workspace of a person's new session: the last one used, else their first; null without any. */
export async function homeOf(tx: Tx, personId: string): Promise<string | null> {
  const memberships = await listMemberships(tx, personId);
  const last = await findLatestSession(tx, personId);
  return (memberships.find((one) => one.workspaceId === last?.workspaceId) ?? memberships[0])?.workspaceId ?? null;
}
