import { z } from "zod";
import { eventKey } from "../../recording/event-key-schema.ts";
import { canWithApp, coalescedQuery, router } from "../../trpc/init.ts";
import { correctCall, historyView } from "./schema.ts";
import * as service from "./service.ts";

export const ledgerRouter = router({
  history: coalescedQuery("console:read")
    .input(eventKey)
    .output(historyView)
    .query(({ ctx, input }) => service.history(ctx.db, ctx.workspaceId, input)),
  correct: canWithApp("ledger:write")
    .input(correctCall)
    .output(z.strictObject({ entryId: z.uuid() }))
    .mutation(({ ctx, input }) => service.correct(ctx.app, ctx.actor, input)),
});
