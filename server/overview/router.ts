import { findGateGaps } from "../policies/index.ts";
import { gateGaps } from "../policies/schema.ts";
import { coalescedQuery, router } from "../trpc/init.ts";
import { agentChanges as findAgentChanges } from "./agent-changes.ts";
import {
  agentChanges,
  overviewAgents,
  overviewFinalDecisions,
  overviewMarks,
  overviewRange,
  overviewSeries,
  overviewStart,
  overviewSummary,
  recentDenials,
  spendToday,
  topDenied,
} from "./schema.ts";
import * as service from "./service.ts";
import { spendToday as findSpendToday } from "./spend-today.ts";

const read = coalescedQuery("console:read");
const ofRange = read.input(overviewRange);

export const overviewRouter = router({
  summary: ofRange.output(overviewSummary).query(({ ctx, input }) => service.summary(ctx.db, ctx.workspaceId, input)),
  series: ofRange.output(overviewSeries).query(({ ctx, input }) => service.series(ctx.db, ctx.workspaceId, input)),
  finalDecisions: ofRange
    .output(overviewFinalDecisions)
    .query(({ ctx, input }) => service.finalDecisions(ctx.db, ctx.workspaceId, input)),
  marks: ofRange.output(overviewMarks).query(({ ctx, input }) => service.marks(ctx.db, ctx.workspaceId, input)),
  recentDenials: ofRange
    .output(recentDenials)
    .query(async ({ ctx, input }) => [...(await service.recentDenials(ctx.db, ctx.workspaceId, input))]),
  topDenied: ofRange.output(topDenied).query(({ ctx, input }) => service.topDenied(ctx.db, ctx.workspaceId, input)),
  agents: ofRange.output(overviewAgents).query(({ ctx, input }) => service.agents(ctx.db, ctx.workspaceId, input)),
  gaps: read.output(gateGaps).query(({ ctx }) => findGateGaps(ctx.db, ctx.workspaceId)),
  agentChanges: ofRange
    .output(agentChanges)
    .query(({ ctx, input }) => findAgentChanges(ctx.db, ctx.workspaceId, input)),
  spendToday: read.output(spendToday).query(({ ctx }) => findSpendToday(ctx.db, ctx.workspaceId)),
  start: read.output(overviewStart).query(({ ctx }) => service.start(ctx.db, ctx.workspaceId)),
});
