import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import { ownedRule, ruleOwnerView, setRuleOwner } from "./schema.ts";
import * as service from "./service.ts";

export const ruleOwnersRouter = router({
  get: can("console:read")
    .input(ownedRule)
    .output(ruleOwnerView)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input)),
  set: canWithApp("policy:publish")
    .input(setRuleOwner)
    .output(z.void())
    .mutation(({ ctx, input }) => service.set({ db: ctx.db, bus: ctx.app.bus }, ctx.actor, input)),
});
