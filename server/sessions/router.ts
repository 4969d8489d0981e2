import { eventKey } from "../recording/event-key-schema.ts";
import { coalescedQuery, router } from "../trpc/init.ts";
import { eventView, listSessions, outlineView, rowsView, sessionsView, timelineInput, timelineRows } from "./schema.ts";
import * as service from "./service.ts";

export const sessionsRouter = router({
  list: coalescedQuery("console:read")
    .input(listSessions)
    .output(sessionsView)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  outline: coalescedQuery("console:read")
    .input(timelineInput)
    .output(outlineView)
    .query(({ ctx, input }) => service.outline(ctx.db, ctx.workspaceId, input)),
  rows: coalescedQuery("console:read")
    .input(timelineRows)
    .output(rowsView)
    .query(({ ctx, input }) => service.rows(ctx.db, ctx.workspaceId, input)),
  event: coalescedQuery("console:read")
    .input(eventKey)
    .output(eventView)
    .query(({ ctx, input }) => service.event(ctx.db, ctx.workspaceId, input)),
});
