import { z } from "zod";
import { canWithApp, router, sharedQuery } from "../trpc/init.ts";
import { getJudgeCall, listJudgeCalls, summariseJudges } from "./report.ts";
import {
  connectionById,
  connectionView,
  judgeCallDetail,
  judgeCallKey,
  judgeCallPage,
  judgeCallsInput,
  judgeRange,
  judgesSummary,
  saveConnection,
  setJudgeCap,
  testConnection,
  tested,
} from "./schema.ts";
import * as service from "./service.ts";
import type { Models } from "./workspace-model-clients.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly models: Models;
  }
}

const read = sharedQuery("console:read");
const write = canWithApp("judge:write");

export const judgesRouter = router({
  connections: read.output(z.array(connectionView)).query(({ ctx }) => service.connections(ctx.db, ctx.workspaceId)),
  summary: read
    .input(judgeRange)
    .output(judgesSummary)
    .query(({ ctx, input }) => summariseJudges(ctx.db, ctx.workspaceId, input)),
  calls: read
    .input(judgeCallsInput)
    .output(judgeCallPage)
    .query(({ ctx, input }) => listJudgeCalls(ctx.db, ctx.workspaceId, input)),
  callDetail: read
    .input(judgeCallKey)
    .output(judgeCallDetail)
    .query(({ ctx, input }) => getJudgeCall(ctx.db, ctx.workspaceId, input)),
  save: write
    .input(saveConnection)
    .output(connectionById)
    .mutation(({ ctx, input }) => service.save(ctx.app, ctx.actor, input)),
  remove: write.input(connectionById).mutation(({ ctx, input }) => service.remove(ctx.app, ctx.actor, input)),
  test: write
    .input(testConnection)
    .output(tested)
    .mutation(({ ctx, input }) => service.test(ctx.app, ctx.workspaceId, input)),
  setCap: write.input(setJudgeCap).mutation(({ ctx, input }) => service.setCap(ctx.app, ctx.actor, input)),
});
