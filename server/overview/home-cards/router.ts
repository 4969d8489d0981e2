import { can, router } from "../../trpc/init.ts";
import { homeCardsView, saveHomeCards } from "./schema.ts";
import * as service from "./service.ts";

export const homeCardsRouter = router({
  get: can("console:read")
    .output(homeCardsView)
    .query(({ ctx }) => service.get(ctx.db, ctx.actor)),
  save: can("account:own")
    .input(saveHomeCards)
    .mutation(({ ctx, input }) => service.save(ctx.db, ctx.actor, input)),
});
