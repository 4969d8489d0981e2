import { reads, router } from "../trpc/init.ts";
import {
  callDetailView,
  callKey,
  callsExportInput,
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
  sessionCostsView,
} from "./schema.ts";
import * as service from "./service.ts";

export const costsRouter = router({
  summary: reads("console:read")
    .input(costRange)
    .output(costSummaryView)
    .query(({ ctx, input }) => service.summary(ctx.db, ctx.workspaceId, input)),
  series: reads("console:read")
    .input(costSeriesInput)
    .output(costSeriesView)
    .query(({ ctx, input }) => service.series(ctx.db, ctx.workspaceId, input)),
  byModel: reads("console:read")
    .input(costRange)
    .output(costBreakdownView)
    .query(({ ctx, input }) => service.breakdown(ctx.db, ctx.workspaceId, input, "model")),
  byAgent: reads("console:read")
    .input(costRange)
    .output(costBreakdownView)
    .query(({ ctx, input }) => service.breakdown(ctx.db, ctx.workspaceId, input, "agent")),
  previous: reads("console:read")
    .input(costRange)
    .output(costPreviousView)
    .query(({ ctx, input }) => service.previous(ctx.db, ctx.workspaceId, input)),
  bySession: reads("console:read")
    .input(costRange)
    .output(sessionCostsView)
    .query(({ ctx, input }) => service.bySession(ctx.db, ctx.workspaceId, input)),
  pivot: reads("console:read")
    .input(pivotInput)
    .output(pivotView)
    .query(({ ctx, input }) => service.pivot(ctx.db, ctx.workspaceId, input)),
  compactions: reads("console:read")
    .input(costRange)
    .output(compactionSpendView)
    .query(({ ctx, input }) => service.compactionSpend(ctx.db, ctx.workspaceId, input)),
  exportPivot: reads("console:read")
    .input(pivotExportInput)
    .output(exportPartView)
    .query(({ ctx, input }) => service.exportPivot(ctx.db, ctx.workspaceId, input)),
  exportCalls: reads("console:read")
    .input(callsExportInput)
    .output(exportPartView)
    .query(({ ctx, input }) => service.exportCalls(ctx.db, ctx.workspaceId, input)),
  calls: reads("console:read")
    .input(costCallsInput)
    .output(costCallsView)
    .query(({ ctx, input }) => service.calls(ctx.db, ctx.workspaceId, input)),
  callDetail: reads("console:read")
    .input(callKey)
    .output(callDetailView)
    .query(({ ctx, input }) => service.call(ctx.db, ctx.workspaceId, input)),
});
