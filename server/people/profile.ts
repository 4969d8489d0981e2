/** The changes that a person makes to their own account: name, first password, browsers. */
import type { Administrator, PersonActor } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import type { AuditEntry } from "../audit/entries.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { endOtherAccess, notifyAccessChangeOf } from "./access-changes.ts";
import { SIGN_ON_ID } from "./accounts/account-names.ts";
import { signOnLabel } from "./installation/sign-on.ts";
import type { PeopleWorld } from "./invitations.ts";
import { makerOf } from "./link-makers.ts";
import { insertPasswordLink } from "./link-repository.ts";
import * as people from "./repository.ts";
import type { PersonById, Rename, SecurityView, SessionById, SetPassword, WaysInView } from "./schema.ts";
import { sessionOf } from "./session.ts";
import * as sessions from "./session-repository.ts";

/**
 * To set a first password, a person must have signed in this recently: an open browser is not enough to take over an
 * account.
 */
const FRESH_MS = 3_600_000;
const CREDENTIAL = "credential";
const RESET_VALID_MS = 3_600_000;

export async function waysIn(db: Database): Promise<WaysInView> {
  const [signOn, hasPasswords] = await Promise.all([signOnLabel(db), people.hasPasswords(db.prisma)]);
  return { signOn, hasPasswords };
}

export async function security(db: Database, actor: Administrator, session: string | null): Promise<SecurityView> {
  const me = requirePerson(actor);
  const [person, accounts, rows, own] = await Promise.all([
    people.findPerson(db.prisma, me.id),
    people.listAccounts(db.prisma, me.id),
    sessions.listSessions(db.prisma, me.id, new Date()),
    session === null ? null : sessionOf(db.prisma, session),
  ]);
  if (!person) throw new AppError("person_not_found");
  return {
    name: person.name,
    email: person.email,
    hasPassword: accounts.some((one) => one.providerId === CREDENTIAL),
    hasSecondFactor: person.twoFactorEnabled,
    hasSignOn: accounts.some((one) => one.providerId === SIGN_ON_ID),
    sessions: rows.map(({ id, createdAt, lastSeenAt, ip, userAgent }) => ({
      id,
      createdAt,
      lastSeenAt,
      ip,
      userAgent,
      isThis: id === own?.id,
    })),
  };
}

export async function rename(db: Database, actor: Administrator, { name }: Rename): Promise<void> {
  const me = requirePerson(actor);
  await db.prisma.$transaction(async (tx) => {
    await people.updatePerson(tx, me.id, { name });
    await tell(tx, me, { act: "renamed", how: name });
  });
}

/** The first password, and the address to sign in by. Errors: `sign_in_again`, `name_taken`. */
export async function setPassword(
  { db, accounts }: PeopleWorld,
  actor: Administrator,
  session: string | null,
  { email, password }: SetPassword,
): Promise<void> {
  const me = requirePerson(actor);
  await db.prisma.$transaction(
    async (tx) => {
      const own = session === null ? null : await sessionOf(tx, session);
      if (!own || Date.now() - own.createdAt.getTime() > FRESH_MS) throw new AppError("sign_in_again");
      const held = await people.listAccounts(tx, me.id);
      if (held.some((one) => one.providerId === CREDENTIAL))
        throw new AppError("name_taken", undefined, { says: "You already have a password. Change it instead." });
      await people.lockAddress(tx, email);
      const other = await people.findPersonByEmail(tx, email);
      const person = await people.findPerson(tx, me.id);
      if (other && other.id !== me.id)
        throw new AppError("name_taken", undefined, { says: "Another person has this e-mail address." });
      // An unproven address never leads to an account by sign-on.
      if (person?.email !== email) await people.updatePerson(tx, me.id, { email, emailVerified: false });
      await accounts.givePassword(tx, me.id, password);
      await endOtherAccess(tx, me.id, own.id);
      await tell(tx, me, { act: "password_set", how: "settings" });
    },
    { timeout: 15_000 }, // a password is hashed on the way
  );
}

/** Signs out one of the person's own browsers. */
export async function endSession(db: Database, actor: Administrator, { sessionId }: SessionById): Promise<void> {
  const me = requirePerson(actor);
  await db.prisma.$transaction(async (tx) => {
    if (!(await sessions.deleteSessionOf(tx, me.id, sessionId))) throw new AppError("not_found");
    await notifyAccessChangeOf(tx, me.id);
    await tell(tx, me, { act: "signed_out_elsewhere", how: "one" });
  });
}

/** Signs out every browser of the person except this one. */
export async function endOtherSessions(db: Database, actor: Administrator, session: string | null): Promise<void> {
  const me = requirePerson(actor);
  await db.prisma.$transaction(async (tx) => {
    const own = session === null ? null : await sessionOf(tx, session);
    if (!own) throw new AppError("not_found");
    await endOtherAccess(tx, me.id, own.id);
    await tell(tx, me, { act: "signed_out_elsewhere", how: "all others" });
  });
}

/**
 * Makes a link that sets a member's new password, for the admin to hand over. Only for a person in no other workspace:
 * it would give access to those too. All conditions are checked again when the link is spent. Errors: `forbidden`,
 * `person_not_found`.
 */
export async function createResetLink(
  { db, url }: PeopleWorld,
  actor: Administrator,
  { personId }: PersonById,
): Promise<{ link: string }> {
  const token = randomToken();
  await db.prisma.$transaction(async (tx) => {
    const member = await people.findMembership(tx, actor.workspaceId, personId);
    if (!member) throw new AppError("person_not_found");
    if (member.role === "owner") requireMay(actor, "owner:manage");
    if ((await people.listMemberships(tx, personId)).length > 1)
      throw new AppError("forbidden", undefined, {
        says: "This person is also in other workspaces, which the link would open. They can request a link by mail.",
      });
    const { name } = member.person;
    await recordAudit(tx, actor, {
      kind: "account_used",
      version: 1,
      by: actor.name,
      person: personId,
      act: "reset_link_created",
      how: name,
    });
    await insertPasswordLink(tx, actor.workspaceId, {
      personId,
      tokenSha256: sha256(token),
      maker: makerOf(actor),
      expiresAt: new Date(Date.now() + RESET_VALID_MS),
    });
  });
  return { link: `${url}/sign-in/reset?token=${token}` };
}

function requirePerson(actor: Administrator): PersonActor {
  if (actor.kind === "person") return actor;
  throw new AppError("forbidden", undefined, { says: "Only people have this, not tokens." });
}

type Act = Extract<AuditEntry, { kind: "account_used" }>["act"];

function tell(tx: Tx, me: PersonActor, { act, how }: { act: Act; how: string }): Promise<void> {
  return recordAudit(tx, me, { kind: "account_used", version: 1, by: me.name, person: me.id, act, how });
}
