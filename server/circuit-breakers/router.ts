import type { Breakers } from "@quarterdeck/hooks";
import { z } from "zod";
import { canWithApp, router } from "../trpc/init.ts";
import { circuitById, circuitView, confinementView, triedView } from "./schema.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** The circuit breakers of hooks that failed too often to be started. */
    readonly breakers: Breakers;
  }
}

export const circuitBreakersRouter = router({
  list: canWithApp("console:read")
    .output(z.array(circuitView))
    .query(({ ctx }) => service.list(ctx.db, ctx.app.workerRpc, ctx.workspaceId)),
  confinement: canWithApp("console:read")
    .output(confinementView)
    .query(({ ctx }) => service.confinementOf(ctx.app.confinement)),
  tryNow: canWithApp("policy:publish")
    .input(circuitById)
    .output(triedView)
    .mutation(async ({ ctx, input }) => ({ isTried: await service.tryNow(ctx.app, ctx.actor, input.id) })),
});
