import { env } from "../platform/env.ts";
import { can, router } from "../trpc/init.ts";
import { setDismissed, setupChecklist } from "./schema.ts";
import * as service from "./service.ts";

export const setupRouter = router({
  checklist: can("console:read")
    .output(setupChecklist)
    .query(({ ctx }) => service.checklist(ctx.db, ctx.actor, env())),
  setDismissed: can("account:own")
    .input(setDismissed)
    .mutation(({ ctx, input }) => service.setDismissed(ctx.db, ctx.actor, input.isDismissed)),
});
