/** Browser sessions: made with a token of their own, told by it, renewed when what the person may do has changed. */
import { createHmac } from "node:crypto";
import type { PersonActor } from "../access/actor.ts";
import { role } from "../access/schema.ts";
import { recordAudit } from "../audit/record.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import * as people from "./repository.ts";
import type { SignIn } from "./schema.ts";
import * as sessions from "./session-repository.ts";

export const SESSION_VALID_MS = 30 * 24 * 3_600_000;
/** How long a token still opens after it was renewed: other requests of the same page are under way with it. */
const FORMER_VALID_MS = 30_000;
const SEEN_EVERY_MS = 60_000;

/** What is kept of a token. */
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

/** Spends a sign-in link. Answers the session's token. Errors: `sign_in_link_spent`. */
export async function signIn(
  db: Database,
  input: SignIn,
  from: { readonly ip: string | null; readonly userAgent: string | null } = { ip: null, userAgent: null },
): Promise<{ session: string; maxAgeSeconds: number }> {
  const session = randomToken();
  await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    const link = await people.spendLink(tx, sha256(input.token), now);
    if (!link) throw new AppError("sign_in_link_spent");
    const expiresAt = new Date(now.getTime() + SESSION_VALID_MS);
    const { workspaceId, personId } = link;
    const made = { id: uuidv7(), personId, tokenSha256: keptToken(session), expiresAt, ...from };
    await sessions.insertSession(tx, workspaceId, made);
    const name = (await people.findPerson(tx, personId))?.name ?? personId;
    const who = { kind: "person", workspaceId, id: personId, name, from } as const;
    await recordAudit(tx, who, { kind: "signed_in", version: 1, by: personId });
  });
  return { session, maxAgeSeconds: SESSION_VALID_MS / 1000 };
}

export async function signOut(db: Database, session: string): Promise<void> {
  await sessions.deleteSession(db.prisma, keptToken(session));
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
    void sessions.touchSession(db.prisma, found.sessionId).catch(() => undefined); // a nicety that nothing waits for
  if (!found?.mustRenew) return found && { actor: found.actor, renewed: null };
  const next = randomToken();
  const renewed = await sessions.renewToken(db.prisma, {
    id: found.sessionId,
    from: keptToken(token),
    to: keptToken(next),
    formerUntil: new Date(Date.now() + FORMER_VALID_MS),
  });
  return { actor: found.actor, renewed: renewed ? next : null };
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
  return { actor, sessionId: row.id, mustRenew: row.mustRenew, lastSeenAt: row.lastSeenAt };
}
