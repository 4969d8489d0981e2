/** The procedures as functions, for pages rendered on the server. They read; what changes anything needs the gateway. */
import { actorOfSession } from "../people/service.ts";
import { database } from "../platform/db.ts";
import type { Context } from "./context.ts";

/** The context of a page request: the person behind the session cookie, and the database. */
export async function pageContext(session: string | undefined): Promise<Context> {
  const db = database();
  const actor = session ? await actorOfSession(db, session) : null;
  return { db, actor, app: null, session: session ?? null, setHeader: () => undefined };
}
