import { z } from "zod";
import { can, requireApp, router } from "../trpc/init.ts";
import { circuitById, circuitView, confinementView, triedView } from "./schema.ts";
import * as service from "./service.ts";

export const circuitsRouter = router({
  list: can("console:read")
    .output(z.array(circuitView))
    .query(({ ctx }) => service.list(ctx.db, requireApp(ctx.app).workerRpc, ctx.workspaceId)),
  confinement: can("console:read")
    .output(confinementView)
    .query(({ ctx }) => service.confinementOf(requireApp(ctx.app).confinement)),
  tryNow: can("policy:publish")
    .input(circuitById)
    .output(triedView)
    .mutation(async ({ ctx, input }) => ({ isTried: await service.tryNow(requireApp(ctx.app), ctx.actor, input.id) })),
});
