import { eventKey } from "../recording/event-key-schema.ts";
import { coalescedQuery, router } from "../trpc/init.ts";
import { compactionSpend, exportCalls, exportPivot } from "./exports.ts";
import { pivot } from "./pivot.ts";
import {
  callDetailView,
  callsExportInput,
  callsTotalInput,
  callsTotalView,
  compactionSpendView,
  costBreakdownView,
  costCallsInput,
  costCallsView,
  costPreviousView,
  costRange,
  costSeriesInput,
  costSeriesView,
  costSummaryView,
  exportPartView,
  pivotExportInput,
  pivotInput,
  pivotView,
  sessionCostsInput,
  sessionCostsView,
} from "./schema.ts";
import * as service from "./service.ts";

export const costsRouter = router({
  summary: coalescedQuery("console:read")
    .input(costRange)
    .output(costSummaryView)
    .query(({ ctx, input }) => service.summary(ctx.db, ctx.workspaceId, input)),
  series: coalescedQuery("console:read")
    .input(costSeriesInput)
    .output(costSeriesView)
    .query(({ ctx, input }) => service.series(ctx.db, ctx.workspaceId, input)),
  byModel: coalescedQuery("console:read")
    .input(costRange)
    .output(costBreakdownView)
    .query(({ ctx, input }) => service.breakdown(ctx.db, ctx.workspaceId, input, "model")),
  byAgent: coalescedQuery("console:read")
    .input(costRange)
    .output(costBreakdownView)
    .query(({ ctx, input }) => service.breakdown(ctx.db, ctx.workspaceId, input, "agent")),
  previous: coalescedQuery("console:read")
    .input(costRange)
    .output(costPreviousView)
    .query(({ ctx, input }) => service.previous(ctx.db, ctx.workspaceId, input)),
  bySession: coalescedQuery("console:read")
    .input(sessionCostsInput)
    .output(sessionCostsView)
    .query(({ ctx, input }) => service.bySession(ctx.db, ctx.workspaceId, input)),
  pivot: coalescedQuery("console:read")
    .input(pivotInput)
    .output(pivotView)
    .query(({ ctx, input }) => pivot(ctx.db, ctx.workspaceId, input)),
  compactions: coalescedQuery("console:read")
    .input(costRange)
    .output(compactionSpendView)
    .query(({ ctx, input }) => compactionSpend(ctx.db, ctx.workspaceId, input)),
  exportPivot: coalescedQuery("console:read")
    .input(pivotExportInput)
    .output(exportPartView)
    .query(({ ctx, input }) => exportPivot(ctx.db, ctx.workspaceId, input)),
  exportCalls: coalescedQuery("console:read")
    .input(callsExportInput)
    .output(exportPartView)
    .query(({ ctx, input }) => exportCalls(ctx.db, ctx.workspaceId, input)),
  calls: coalescedQuery("console:read")
    .input(costCallsInput)
    .output(costCallsView)
    .query(({ ctx, input }) => service.calls(ctx.db, ctx.workspaceId, input)),
  callsTotal: coalescedQuery("console:read")
    .input(callsTotalInput)
    .output(callsTotalView)
    .query(({ ctx, input }) => service.callsTotal(ctx.db, ctx.workspaceId, input)),
  callDetail: coalescedQuery("console:read")
    .input(eventKey)
    .output(callDetailView)
    .query(({ ctx, input }) => service.call(ctx.db, ctx.workspaceId, input)),
});
