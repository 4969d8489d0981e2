/** Tells who sends a request: a browser by its cookie, an admin's script or an agent by its bearer token. */
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { Actor, AgentActor } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { actorOfAdminToken } from "./service.ts";
import { actorOfToken, SERVICE_PREFIX } from "./service-accounts/service.ts";
import { actorOfSession, renewedSession, SESSION_VALID_MS, tokenIn } from "./session.ts";
import { cookieIn, cookieName, sessionCookie } from "./session-cookie.ts";
import { findOpenSession } from "./session-repository.ts";
import { isWorkspace } from "./workspaces.ts";

export interface Identity {
  readonly actor: Actor | null;
  /** The browser session's token, when the request carried one. */
  readonly session: string | null;
  /** The cookie that the answer must set: the session has a new token. */
  readonly setCookie: string | null;
  /** The session's id, which stays the same when its token changes. */
  readonly sessionId: string | null;
  /** The time when the person last confirmed their identity in this browser; null for other actors. */
  readonly confirmedAt: Date | null;
}

/** Authenticates agents by their key. */
export interface Authenticator {
  authenticate(key: string): Promise<AgentActor>;
  confirm(key: string): Promise<AgentActor>;
  recall(key: string): AgentActor | null;
}

export interface IdentityWorld {
  readonly db: Database;
  readonly secrets: { readonly adminToken: string; readonly sessionSecret: string };
  readonly url: string;
  readonly authenticator: Authenticator;
}

const AGENT_KEY = "qd_";
/** Selects the workspace of the admin token; without it, the first. Every other identity belongs to one workspace. */
const WORKSPACE_HEADER = "x-quarterdeck-workspace";

/**
 * The identity that the headers prove. An unknown token or cookie has no actor.
 *
 * Errors: for an agent's key, those of its authentication, so that a revoked key gets a reason; `workspace_not_found`
 * when a script names a workspace that does not exist.
 */
export async function identityOf(headers: IncomingHttpHeaders, world: IdentityWorld): Promise<Identity> {
  const token = bearerIn(headers);
  if (token?.startsWith(AGENT_KEY)) return byToken(await world.authenticator.authenticate(token));
  if (token?.startsWith(SERVICE_PREFIX)) return byToken(await actorOfToken(world.db, token));
  if (token !== undefined) return byToken(await scriptOf(token, world, headers[WORKSPACE_HEADER]));
  const cookie = cookieIn(headers.cookie ?? "", cookieName(world.url));
  if (cookie === null) return byToken(null);
  const session = tokenIn(cookie);
  const found = await renewedSession(world.db, session);
  const next = found?.renewed ?? null;
  return {
    actor: found?.actor ?? null,
    session: next ?? session,
    setCookie: next === null ? null : sessionCookie(world, next, SESSION_VALID_MS / 1000),
    sessionId: found?.sessionId ?? null,
    confirmedAt: found?.confirmedAt ?? null,
  };
}

/** The id of the person whose session the cookie proves; null otherwise. Does not extend the session. */
export async function sessionHolder(
  headers: IncomingHttpHeaders,
  { db, url }: Pick<IdentityWorld, "db" | "url">,
): Promise<string | null> {
  const cookie = cookieIn(headers.cookie ?? "", cookieName(url));
  return cookie === null ? null : ((await actorOfSession(db, tokenIn(cookie)))?.id ?? null);
}

const byToken = (actor: Actor | null): Identity => ({
  actor,
  session: null,
  setCookie: null,
  sessionId: null,
  confirmedAt: null,
});

/** True while the identity is still valid: the same workspace and role, by a session or a token that still works. */
export async function isStillAllowed(
  { actor, sessionId }: Identity,
  headers: IncomingHttpHeaders,
  { db }: IdentityWorld,
): Promise<boolean> {
  if (actor?.kind === "script") return true;
  const token = bearerIn(headers);
  if (actor?.kind === "service") {
    const now = token === undefined ? null : await actorOfToken(db, token);
    return now?.id === actor.id && now.role === actor.role;
  }
  if (actor?.kind !== "person" || sessionId === null) return false;
  const session = await findOpenSession(db.prisma, sessionId, new Date());
  return session?.workspaceId === actor.workspaceId && session.membership.role === actor.role;
}

/** True if the headers carry the installation's admin token. */
export async function isAdminScript(headers: IncomingHttpHeaders, world: IdentityWorld): Promise<boolean> {
  const token = bearerIn(headers);
  return token !== undefined && (await scriptOf(token, world)) !== null;
}

function bearerIn(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

async function scriptOf(
  token: string,
  { db, secrets }: IdentityWorld,
  named?: string | string[],
): Promise<Actor | null> {
  const script = await actorOfAdminToken(db, token, secrets.adminToken);
  if (script === null || named === undefined) return script;
  const workspaceId = z.uuid().safeParse(named).data;
  if (workspaceId === undefined || !(await isWorkspace(db, workspaceId))) throw new AppError("workspace_not_found");
  return { ...script, workspaceId };
}
