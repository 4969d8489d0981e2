import { findLag } from "../projectors/index.ts";
import { can, router, sharedQuery } from "../trpc/init.ts";
import { checkDayInput, comparableDaysView, dayCheck, lagView, listDays } from "./schema.ts";
import * as service from "./service.ts";

export const projectionsRouter = router({
  /** The lag of figures behind the record. */
  lag: sharedQuery("console:read")
    .output(lagView)
    .query(async ({ ctx }) => ({ ms: await findLag(ctx.db.pool, ctx.workspaceId) })),
  days: can("audit:read")
    .input(listDays)
    .output(comparableDaysView)
    .query(async ({ ctx, input }) => ({ days: await service.days(ctx.db.pool, ctx.workspaceId, input.month) })),
  /** Reads a whole day, page by page; a busy one takes a while. */
  checkDay: can("audit:read")
    .input(checkDayInput)
    .output(dayCheck)
    .query(({ ctx, input, signal }) => service.check(ctx.db.pool, ctx.workspaceId, input.day, signal)),
});
