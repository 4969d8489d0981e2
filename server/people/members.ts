/** The members of a workspace and their roles. The last owner stays, and only owners change owners. */
import type { Administrator } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import { type PageById, role as roleSchema } from "../access/role-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { endLoginsOf } from "../principals/index.ts";
import { notifyAccessChange, notifyMembershipEnd } from "./access-changes.ts";
import { accessEnd, endLinksBy } from "./link-makers.ts";
import * as people from "./repository.ts";
import type { ExtendAccess, MemberView, PersonById, SetRole } from "./schema.ts";
import { demandRenewal } from "./session-repository.ts";

/** A page of members, by their ids. */
export async function listMembers(db: Database, actor: Administrator, page?: PageById): Promise<MemberView[]> {
  const rows = await people.listMembers(db.prisma, actor.workspaceId, page?.cursor ?? null);
  return rows.map(({ personId, person, role, createdAt, endsAt, sessions }) => ({
    personId,
    name: person.name,
    email: person.email,
    isAddressProven: person.emailVerified,
    role: roleSchema.parse(role),
    hasSecondFactor: person.twoFactorEnabled,
    joinedAt: createdAt,
    endsAt,
    lastSeenAt: sessions.reduce<Date | null>(
      (last, { lastSeenAt }) => (last === null || lastSeenAt > last ? lastSeenAt : last),
      null,
    ),
    isYou: actor.kind === "person" && actor.id === personId,
  }));
}

/** Sets a person's role, from their next request on. Errors: `last_owner`, `forbidden`, `person_not_found`. */
export async function setRole(db: Database, actor: Administrator, input: SetRole): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const member = await memberToChange(tx, actor, input.personId, input.role === "owner");
    if (member.role === input.role) return;
    await people.updateRole(tx, actor.workspaceId, input.personId, input.role);
    await demandRenewal(tx, actor.workspaceId, input.personId);
    await endLinksBy(tx, { ...actor, acting: actor }, { kind: "person", id: input.personId }, input.role);
    await notifyAccessChange(tx, actor.workspaceId);
    await recordAudit(tx, actor, {
      kind: "role_changed",
      version: 1,
      by: actor.name,
      person: input.personId,
      name: member.person.name,
      from: member.role,
      to: input.role,
    });
  });
}

/**
 * The access of a person lasts longer, or has no end from now on. Not their own: an end that its holder can move is
 * none. Errors: `forbidden`, `invalid_input`, `person_not_found`, also when the access has ended.
 */
export async function extendAccess(db: Database, actor: Administrator, input: ExtendAccess): Promise<void> {
  const { personId, days } = input;
  if (actor.kind === "person" && actor.id === personId)
    throw new AppError("forbidden", actor.kind, { says: "Another admin or owner must extend your access." });
  await db.prisma.$transaction(async (tx) => {
    const member = await memberToChange(tx, actor, personId, false);
    const from = member.endsAt;
    if (from === null) {
      if (days === null) return;
      throw new AppError("invalid_input", undefined, { says: "This access has no end.", pointer: "/days" });
    }
    const endsAt = accessEnd({ accessDays: days }, from);
    if (!(await people.updateAccessEnd(tx, actor.workspaceId, personId, { now: new Date(), endsAt })))
      throw new AppError("person_not_found");
    await notifyAccessChange(tx, actor.workspaceId);
    await recordAudit(tx, actor, {
      ...({ kind: "access_extended", version: 1, by: actor.name, person: personId } as const),
      ...{ name: member.person.name, role: member.role },
      ...{ from: from.toISOString(), to: endsAt?.toISOString() ?? null },
    });
  });
}

/** The person leaves the workspace, and their browsers with them. Errors: as of `setRole`. */
export async function removeMember(db: Database, actor: Administrator, input: PersonById): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const member = await memberToChange(tx, actor, input.personId, false);
    await people.deleteMembership(tx, actor.workspaceId, input.personId);
    await endLoginsOf(tx, { ...actor, acting: actor }, { personId: input.personId, name: member.person.name });
    await endLinksBy(tx, { ...actor, acting: actor }, { kind: "person", id: input.personId }, null);
    await recordAudit(tx, actor, {
      kind: "person_removed",
      version: 1,
      by: actor.name,
      person: input.personId,
      name: member.person.name,
      role: member.role,
    });
    await notifyMembershipEnd(tx, actor.workspaceId);
  });
}

/** Returns the member after checking that `actor` may change them and that an owner remains. */
async function memberToChange(tx: Tx, actor: Administrator, personId: string, staysOwner: boolean) {
  const owners = await people.listOwnersForUpdate(tx, actor.workspaceId);
  const member = await people.findMembership(tx, actor.workspaceId, personId);
  if (!member) throw new AppError("person_not_found");
  if (member.role === "owner" || staysOwner) requireMay(actor, "owner:manage");
  if (member.role === "owner" && !staysOwner && owners.length === 1) throw new AppError("last_owner");
  return member;
}
