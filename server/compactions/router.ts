import { eventKey } from "../recording/event-key-schema.ts";
import { coalescedQuery, router } from "../trpc/init.ts";
import {
  attemptDetailView,
  breakdownView,
  compactionFilter,
  compactionSummaryView,
  compactionsView,
  compactionTrend,
  listCompactions,
  sessionContextView,
  trendView,
} from "./schema.ts";
import * as service from "./service.ts";
import { getSessionContext } from "./session-context.ts";
import { getBreakdown, getTrend } from "./trends.ts";

export const compactionsRouter = router({
  summary: coalescedQuery("console:read")
    .input(compactionFilter)
    .output(compactionSummaryView)
    .query(({ ctx, input }) => service.summariseAttempts(ctx.db, ctx.workspaceId, input)),
  list: coalescedQuery("console:read")
    .input(listCompactions)
    .output(compactionsView)
    .query(({ ctx, input }) => service.listAttempts(ctx.db, ctx.workspaceId, input)),
  get: coalescedQuery("console:read")
    .input(eventKey)
    .output(attemptDetailView)
    .query(({ ctx, input }) => service.getAttempt(ctx.db, ctx.workspaceId, input)),
  sessionContext: coalescedQuery("console:read")
    .input(eventKey)
    .output(sessionContextView)
    .query(({ ctx, input }) => getSessionContext(ctx.db, ctx.workspaceId, input)),
  trend: coalescedQuery("console:read")
    .input(compactionTrend)
    .output(trendView)
    .query(({ ctx, input }) => getTrend(ctx.db, ctx.workspaceId, input)),
  breakdown: coalescedQuery("console:read")
    .input(compactionTrend)
    .output(breakdownView)
    .query(({ ctx, input }) => getBreakdown(ctx.db, ctx.workspaceId, input)),
});
