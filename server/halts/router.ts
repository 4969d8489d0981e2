import { canWithApp, coalescedQuery, router } from "../trpc/init.ts";
import type { ExecutorCalls } from "./executor-calls.ts";
import {
  agentHalts,
  endHalt,
  haltById,
  haltList,
  haltPreview,
  haltsOfAgent,
  inForceView,
  previewHalt,
  startHalt,
} from "./schema.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** Takes the calls of local executors. */
    readonly executorCalls: ExecutorCalls;
  }
}

export const haltsRouter = router({
  list: coalescedQuery("console:read")
    .output(haltList)
    .query(({ ctx }) => service.overview(ctx.db, ctx.workspaceId)),
  /** The red strip of every page. */
  inForce: coalescedQuery("console:read")
    .output(inForceView)
    .query(({ ctx }) => service.inForce(ctx.db, ctx.workspaceId)),
  /** The halts on the page of an agent. */
  ofAgent: coalescedQuery("console:read")
    .input(haltsOfAgent)
    .output(agentHalts)
    .query(({ ctx, input }) => service.ofAgent(ctx.db, ctx.workspaceId, input)),
  /** The number of agents and running sessions that a halt stops. */
  preview: coalescedQuery("console:read")
    .input(previewHalt)
    .output(haltPreview)
    .query(({ ctx, input }) => service.preview(ctx.db, ctx.workspaceId, input)),
  halt: canWithApp("halt:write")
    .input(startHalt)
    .output(haltById)
    .mutation(({ ctx, input }) => service.halt(ctx.app, ctx.actor, input)),
  resume: canWithApp("halt:resume")
    .input(endHalt)
    .mutation(({ ctx, input }) => service.resume(ctx.app, ctx.actor, input)),
});
