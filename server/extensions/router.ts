import { can, canWithApp, router } from "../trpc/init.ts";
import { decidedExtensions, decideExtensions, extensionsPage, listExtensions } from "./schema.ts";
import * as service from "./service.ts";

const decide = canWithApp("extension:accept");

export const extensionsRouter = router({
  list: can("console:read")
    .input(listExtensions)
    .output(extensionsPage)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  accept: decide
    .input(decideExtensions)
    .output(decidedExtensions)
    .mutation(({ ctx, input }) => service.accept(ctx.app, ctx.actor, input)),
  withdraw: decide
    .input(decideExtensions)
    .output(decidedExtensions)
    .mutation(({ ctx, input }) => service.withdraw(ctx.app, ctx.actor, input)),
});
