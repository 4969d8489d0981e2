/** The procedures as functions, for pages rendered on the server. They read; what changes anything needs the gateway. */
import { actorOfSession, sessionCookieName, tokenIn } from "../people/service.ts";
import { database } from "../platform/db.ts";
import { env } from "../platform/env.ts";
import { inInstallation } from "../platform/scope.ts";
import type { Context } from "./context.ts";

/** The context of a page request: the person behind the session cookie, and the database. */
export async function pageContext(cookieNamed: (name: string) => string | undefined): Promise<Context> {
  const db = database();
  const cookie = cookieNamed(sessionCookieName(env().url));
  const session = cookie === undefined || cookie === "" ? null : tokenIn(cookie);
  const actor = session === null ? null : await inInstallation(() => actorOfSession(db, session));
  return { db, actor, app: null, session, setHeader: () => undefined };
}
