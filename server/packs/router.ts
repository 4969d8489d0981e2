import { z } from "zod";
import { policyById } from "../policies/schema.ts";
import { can, canWithApp, router } from "../trpc/init.ts";
import { installPack, packUpdateView, packView, updatePack } from "./schema.ts";
import * as service from "./service.ts";

const read = can("console:read");
const write = canWithApp("policy:write");

export const packsRouter = router({
  list: read.output(z.array(packView)).query(({ ctx }) => service.list(ctx.db, ctx.workspaceId)),
  install: write
    .input(installPack)
    .output(policyById)
    .mutation(({ ctx, input }) => service.install(ctx.db, ctx.app.bus, ctx.actor, input)),
  update: write
    .input(updatePack)
    .output(packUpdateView)
    .mutation(({ ctx, input }) => service.update(ctx.db, ctx.app.bus, ctx.actor, input)),
});
