/** Browser sessions: each has its own token, which is renewed when the person's permissions have changed. */
import { createHmac } from "node:crypto";
import type { ClientInfo, PersonActor } from "../access/actor.ts";
import { role } from "../access/role-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { notifyAccessChange } from "./access-changes.ts";
import { makerMay } from "./link-makers.ts";
import { spendSignInLink } from "./link-repository.ts";
import * as people from "./repository.ts";
import type { SignIn } from "./schema.ts";
import * as sessions from "./session-repository.ts";

/** However much it is used. */
export const SESSION_VALID_MS = 30 * 24 * 3_600_000;
/** Without a request. */
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;
/** The time for which a renewed token still works: other requests of the same page are under way with it. */
const FORMER_VALID_MS = 30_000;
const SEEN_EVERY_MS = 60_000;

/** The form in which a token is stored. */
export const keptToken = (token: string): string => sha256(token).toString("hex");

/** The cookie's text: the token, with the signature that the account library expects. */
export function cookieText(token: string, secret: string): string {
  return encodeURIComponent(`${token}.${createHmac("sha256", secret).update(token).digest("base64")}`);
}

/** The token in a cookie's text. It is unguessable, so the signature need not be checked. */
export function tokenIn(cookie: string): string {
  const end = cookie.search(/\.|%2e/i);
  return end === -1 ? cookie : cookie.slice(0, end);
}

/** Begins a challenge of the person's second factor. Returns the cookie for the browser. */
export type AskSecondFactor = (tx: Tx, personId: string) => Promise<string>;

export interface LinkSpent {
  /** The session's token; empty when the second factor is required first. */
  readonly session: string;
  readonly maxAgeSeconds: number;
  /** The cookie of the challenge; null without a challenge. */
  readonly challenge: string | null;
  /**
   * Set for a person who signed in by the machine's link and has no other way to sign in: the known address, or null.
   */
  readonly firstPassword: { readonly email: string | null } | null;
}

/**
 * Spends a sign-in link. A link made in a browser does not replace the second factor: a person who has one must enter
 * it. A link made on the machine skips it, so that a lost second factor locks no person out.
 *
 * Errors: `sign_in_link_spent`, also when its creator may no longer make one.
 */
export async function signIn(
  db: Database,
  input: SignIn,
  from: ClientInfo = { ip: null, userAgent: null },
  askSecondFactor?: AskSecondFactor,
): Promise<LinkSpent> {
  const maxAgeSeconds = SESSION_VALID_MS / 1000;
  return db.prisma.$transaction(async (tx) => {
    const now = new Date();
    const link = await spendSignInLink(tx, sha256(input.token), now);
    if (!link) throw new AppError("sign_in_link_spent");
    const { workspaceId, personId, madeBy } = link;
    const person = await people.findPerson(tx, personId);
    if (madeBy !== null) {
      if (!(await makerMay(tx, workspaceId, { kind: "person", id: madeBy }, "owner:manage")))
        throw new AppError("sign_in_link_spent");
      if (person?.twoFactorEnabled) {
        if (!askSecondFactor) throw new AppError("internal", "a link that needs a second factor");
        return { session: "", maxAgeSeconds, challenge: await askSecondFactor(tx, personId), firstPassword: null };
      }
    }
    const session = randomToken();
    const expiresAt = new Date(now.getTime() + SESSION_IDLE_MS);
    // A link can be made in a browser left open, so spending such a link confirms no identity.
    const confirmedAt = madeBy === null ? now : null;
    const made = { id: uuidv7(), personId, tokenSha256: keptToken(session), expiresAt, confirmedAt, ...from };
    await sessions.insertSession(tx, workspaceId, made);
    await people.setSignedIn(tx, personId);
    const who = { kind: "person", workspaceId, id: personId, name: person?.name ?? personId, from } as const;
    await recordAudit(tx, who, { kind: "signed_in", version: 1, by: personId });
    const hasOtherWay = madeBy !== null || (await people.listAccounts(tx, personId)).length > 0;
    const firstPassword = hasOtherWay ? null : { email: person?.email ?? null };
    return { session, maxAgeSeconds, challenge: null, firstPassword };
  });
}

export async function signOut(db: Database, session: string): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    for (const workspaceId of await sessions.deleteSession(tx, keptToken(session)))
      await notifyAccessChange(tx, workspaceId);
  });
}

export function sessionOf(tx: Tx, token: string) {
  return sessions.findSession(tx, keptToken(token), new Date());
}

/** The person of a session's token, with their role in the session's workspace, or null. */
export async function actorOfSession(db: Database, token: string): Promise<PersonActor | null> {
  return (await sessionActor(db, token))?.actor ?? null;
}

/** The same, and the session's new token when it is due for one. */
export async function renewedSession(db: Database, token: string) {
  const found = await sessionActor(db, token);
  if (found && Date.now() - found.lastSeenAt.getTime() > SEEN_EVERY_MS)
    void sessions.touchSession(db.prisma, found.sessionId, SESSION_IDLE_MS, SESSION_VALID_MS).catch(() => undefined); // nothing waits for it, and the next request does it again
  if (!found) return null;
  const { actor, sessionId, confirmedAt } = found;
  if (!found.mustRenew) return { actor, sessionId, confirmedAt, renewed: null };
  const next = randomToken();
  const renewed = await sessions.rotateToken(db.prisma, {
    id: sessionId,
    from: keptToken(token),
    to: keptToken(next),
    formerUntil: new Date(Date.now() + FORMER_VALID_MS),
  });
  return { actor, sessionId, confirmedAt, renewed: renewed ? next : null };
}

async function sessionActor(db: Database, token: string) {
  const row = await sessionOf(db.prisma, token);
  if (!row) return null;
  const { person, role: stored } = row.membership;
  const actor: PersonActor = {
    kind: "person",
    workspaceId: row.workspaceId,
    id: row.personId,
    name: person.name,
    role: role.parse(stored),
  };
  const { id: sessionId, mustRenew, lastSeenAt, confirmedAt } = row;
  return { actor, sessionId, mustRenew, lastSeenAt, confirmedAt };
}
