/** The console process's procedures for pages. They only read; changes need the gateway. */
import { callTRPCProcedure } from "@trpc/server";
import * as documents from "../documents/index.ts";
import { asAppError } from "../errors/app-error.ts";
import { actorOfSession, sessionCookieName, tokenIn } from "../people/index.ts";
import type { Database } from "../platform/db.ts";
import { commandLine, env } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation } from "../platform/scope.ts";
import type { App, Context } from "../trpc/context.ts";
import type { PageProcedures } from "../trpc/page-procedures.ts";
import { consoleRouter } from "./router.ts";

/** Read also while reads give way to gates: who the person is, the manual, and what explains the load. */
const ALWAYS_READ = /^(access|documents|doctor)\./;

/**
 * Runs procedures for pages, with this process's own database, worker threads and caches. While reads give way to gates,
 * a page is rendered without its data, which the browser then asks for.
 */
export function createPageProcedures(db: Database, log: Log, shedding: Pick<App["shedding"], "check">): PageProcedures {
  return {
    async reader(cookieNamed) {
      const ctx = await contextOf(db, cookieNamed);
      return async (path, input) => {
        if (!ALWAYS_READ.test(path)) shedding.check("console");
        return callTRPCProcedure({
          ...{ router: consoleRouter, path, ctx, type: "query" },
          getRawInput: () => Promise.resolve(input),
          signal: undefined,
          batchIndex: 0,
        });
      };
    },
    explainFailure(error) {
      log.error({ err: error }, "a page could not be loaded");
      return asAppError(error).message;
    },
    readDocument: (slug) => (slug === null ? documents.list() : documents.read(slug)),
    commandLine: commandLine(),
  };
}

/** The context of a page request: the person behind the session cookie, and the database. */
async function contextOf(db: Database, cookieNamed: (name: string) => string | undefined): Promise<Context> {
  const cookie = cookieNamed(sessionCookieName(env().url));
  const session = cookie === undefined || cookie === "" ? null : tokenIn(cookie);
  const actor = session === null ? null : await inInstallation(() => actorOfSession(db, session));
  return { db, actor, app: null, session, setHeader: () => undefined };
}
