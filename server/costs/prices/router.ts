import { z } from "zod";
import { can, canWithApp, router } from "../../trpc/init.ts";
import { priceListsView, priceVersion, priceVersionView, savePrices } from "./schema.ts";
import * as service from "./service.ts";

const read = can("console:read");
const write = canWithApp("ledger:write");

export const pricesRouter = router({
  lists: read.output(priceListsView).query(({ ctx }) => service.lists(ctx.db, ctx.workspaceId)),
  list: read
    .input(priceVersion)
    .output(priceVersionView)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  save: write
    .input(savePrices)
    .output(z.strictObject({ version: z.number() }))
    .mutation(({ ctx, input }) => service.save(ctx.app, ctx.actor, input)),
  estimate: write
    .input(priceVersion)
    .output(z.strictObject({ added: z.number(), isAll: z.boolean() }))
    .mutation(({ ctx, input }) => service.estimateUnpricedCalls(ctx.app, ctx.actor, input)),
});
