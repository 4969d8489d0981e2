import { z } from "zod";
import { can, router } from "../trpc/init.ts";
import { savedView, saveView, viewById, viewsOfPage } from "./schema.ts";
import * as service from "./service.ts";

const own = can("account:own");
const everybodys = can("view:share");

export const viewsRouter = router({
  list: can("console:read")
    .input(viewsOfPage)
    .output(z.array(savedView))
    .query(({ ctx, input }) => service.list(ctx.db, ctx.actor, input.page)),
  save: own
    .input(saveView)
    .output(z.void())
    .mutation(({ ctx, input }) => service.save(ctx.db, ctx.actor, input)),
  remove: own
    .input(viewById)
    .output(z.void())
    .mutation(({ ctx, input }) => service.remove(ctx.db, ctx.actor, input.id)),
  share: everybodys
    .input(saveView)
    .output(z.void())
    .mutation(({ ctx, input }) => service.share(ctx.db, ctx.actor, input)),
  unshare: everybodys
    .input(viewById)
    .output(z.void())
    .mutation(({ ctx, input }) => service.unshare(ctx.db, ctx.actor, input.id)),
});
