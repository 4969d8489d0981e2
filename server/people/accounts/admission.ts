/** Who may become a person here: somebody an open invitation names by an e-mail address that their provider verified. */
import { recordAudit } from "../../audit/record.ts";
import type { Database, Tx } from "../../platform/db.ts";
import * as invitations from "../invitation-repository.ts";
import { insertMembership, listMemberships } from "../repository.ts";
import { findLatestSession } from "../session-repository.ts";

export async function isInvited(db: Database, email: string): Promise<boolean> {
  return (await invitations.listOpenByEmail(db.prisma, email.toLowerCase(), new Date())).length > 0;
}

/** A person just made by sign-on joins every workspace that invited their address. */
export async function admit(
  db: Database,
  person: { readonly id: string; readonly email: string; readonly name: string },
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    for (const { workspaceId, id, role } of await invitations.listOpenByEmail(tx, person.email, now)) {
      if (!(await invitations.accept(tx, workspaceId, id, now))) continue;
      await insertMembership(tx, workspaceId, person.id, role);
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

/** The workspace a person's new session looks at: the one they looked at last, else their first; null without any. */
export async function homeOf(tx: Tx, personId: string): Promise<string | null> {
  const memberships = await listMemberships(tx, personId);
  const last = await findLatestSession(tx, personId);
  return (memberships.find((one) => one.workspaceId === last?.workspaceId) ?? memberships[0])?.workspaceId ?? null;
}
