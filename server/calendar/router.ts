import { systemClock } from "../platform/clock.ts";
import { canWithApp, coalescedQuery, router } from "../trpc/init.ts";
import { calendarView, setTimeZone } from "./schema.ts";
import * as service from "./service.ts";

const now = () => new Date(systemClock.now());

export const calendarRouter = router({
  view: coalescedQuery("console:read")
    .output(calendarView)
    .query(({ ctx }) => service.view(ctx.db, ctx.workspaceId, now())),
  setTimeZone: canWithApp("calendar:write")
    .input(setTimeZone)
    .mutation(({ ctx, input }) => service.setTimeZone(ctx.app, ctx.actor, input, now())),
});
