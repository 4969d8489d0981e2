import { may } from "../access/permissions.ts";
import { can, router } from "../trpc/init.ts";
import { requestLog, requestsOf } from "./schema.ts";
import { listRefused, type RequestLog } from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** Counts refused requests by key. */
    readonly requestLog: RequestLog;
  }
}

export const requestLogRouter = router({
  /** Refused requests of an agent's keys. */
  ofAgent: can("console:read")
    .input(requestsOf)
    .output(requestLog)
    .query(async ({ ctx, input }) => {
      const log = await listRefused(ctx.db, ctx.workspaceId, input.ownerId);
      // Addresses of clients are shown to those who may read the audit record, as there.
      return may(ctx.actor, "audit:read") ? log : { ...log, rows: log.rows.map((row) => ({ ...row, client: null })) };
    }),
  /** Refused requests of a service account's tokens. */
  ofService: can("people:read")
    .input(requestsOf)
    .output(requestLog)
    .query(({ ctx, input }) => listRefused(ctx.db, ctx.workspaceId, input.ownerId)),
  /** Refused requests with keys that belong to no agent and no service account. */
  ofUnknownKeys: can("people:read")
    .output(requestLog)
    .query(({ ctx }) => listRefused(ctx.db, ctx.workspaceId, null)),
});
