import { z } from "zod";
import { systemClock } from "../../platform/clock.ts";
import { canWithApp, coalescedQuery, router } from "../../trpc/init.ts";
import { monthKey, monthsView, statementView } from "./schema.ts";
import * as service from "./service.ts";

const read = coalescedQuery("console:read");
const now = () => new Date(systemClock.now());

export const statementsRouter = router({
  months: read.output(monthsView).query(({ ctx }) => service.months(ctx.db, ctx.workspaceId, now())),
  statement: read
    .input(monthKey)
    .output(statementView)
    .query(({ ctx, input }) => service.statement(ctx.db, ctx.workspaceId, input, now())),
  close: canWithApp("ledger:write")
    .input(monthKey)
    .output(z.strictObject({ sha256: z.string() }))
    .mutation(({ ctx, input }) => service.close(ctx.app, ctx.actor, input, now())),
});
