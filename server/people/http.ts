/** Tells who sends a request: a browser by its cookie, an admin's script or an agent by its bearer token. */
import type { IncomingHttpHeaders } from "node:http";
import type { Actor, AgentActor } from "../access/actor.ts";
import type { Database } from "../platform/db.ts";
import { SESSION_COOKIE } from "./schema.ts";
import { actorOfAdminToken, actorOfSession } from "./service.ts";

export interface Identity {
  readonly actor: Actor | null;
  /** The browser session's token, when the request carried one. */
  readonly session: string | null;
}

export interface IdentityWorld {
  readonly db: Database;
  readonly secrets: { readonly adminToken: string };
  readonly authenticator: { authenticate(key: string): Promise<AgentActor> };
}

const AGENT_KEY = "qd_";

/**
 * Whoever the headers prove to be; a stranger's token or cookie is simply nobody.
 *
 * Errors: for an agent's key, those of its authentication, so that a revoked key hears why.
 */
export async function identityOf(headers: IncomingHttpHeaders, world: IdentityWorld): Promise<Identity> {
  const token = bearerIn(headers);
  if (token?.startsWith(AGENT_KEY)) return { actor: await world.authenticator.authenticate(token), session: null };
  if (token !== undefined) return { actor: await scriptOf(token, world), session: null };
  const session = cookieIn(headers.cookie ?? "", SESSION_COOKIE);
  return { actor: session === null ? null : await actorOfSession(world.db, session), session };
}

/** Whether the headers carry the installation's admin token. */
export async function isAdminScript(headers: IncomingHttpHeaders, world: IdentityWorld): Promise<boolean> {
  const token = bearerIn(headers);
  return token !== undefined && (await scriptOf(token, world)) !== null;
}

function bearerIn(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

function scriptOf(token: string, { db, secrets }: IdentityWorld): Promise<Actor | null> {
  return actorOfAdminToken(db, token, secrets.adminToken);
}

function cookieIn(header: string, name: string): string | null {
  for (const pair of header.split(";")) {
    const [key = "", ...value] = pair.split("=");
    if (key.trim() === name) return value.join("=").trim() || null;
  }
  return null;
}
