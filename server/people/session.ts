/** Browser sessions: made with a token of their own, told by it, renewed when what the person may do has changed. */
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
/** The time that a token still opens after it was renewed: other requests of the same page are under way with it. */
const FORMER_VALID_MS = 30_000;
const SEEN_EVERY_MS = 60_000;

/** The form in which a token is stored. */
export const keptToken = (token: string): string => sha256(token).toString("hex");

/** The cookie's text: the token, and our signature that the account pages' library wants to see on it. */
export function cookieText(token: string, secret: string): string {
  return encodeURIComponent(`${token}.${createHmac("sha256", secret).update(token).digest("base64")}`);
}

/** The token in a cookie's text. It is unguessable by itself: whoever has it need not prove that we signed it. */
export function tokenIn(cookie: string): string {
  const end = cookie.search(/\.|%2e/i);
  return end === -1 ? cookie : cookie.slice(0, end);
}

/** Begins a challenge of the person's second factor. Answers the cookie that the browser is given for it. */
export type AskSecondFactor = (tx: Tx, personId: string) => Promise<string>;

export interface LinkSpent {
  /** The session's token; empty when the second factor is asked for first. */
  readonly session: string;
  readonly maxAgeSeconds: number;
  /** The cookie of the challenge; null when none is asked for. */
  readonly challenge: string | null;
  /** Whoever came in by a link of the machine and has no other way in yet, with the address that is known; null otherwise. */
  readonly firstPassword: { readonly email: string | null } | null;
}

/**
 * Spends a sign-in link. One that a browser made is no second factor: whoever has one is asked for it. One made on the machine
 * asks for none, so that a lost second factor locks nobody out.
 *
 * Errors: `sign_in_link_spent`, also when its maker may not make one any more.
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
    // A browser left open can make a link: whoever spends that one has proved nothing more.
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

/** The person behind a session's token, as what they are in the workspace they look at now, or null. */
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
