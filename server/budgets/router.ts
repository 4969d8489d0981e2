import { z } from "zod";
import { canWithApp, router, sharedQuery } from "../trpc/init.ts";
import { targets } from "./budget-targets.ts";
import {
  askBinding,
  askedBindingView,
  budgetById,
  budgetDetailView,
  budgetView,
  changeBudget,
  createBudget,
  releasedView,
  releaseReservation,
  removeBudget,
  targetsView,
} from "./schema.ts";
import * as service from "./service.ts";
import { budgetStatuses, budgetsOverThreshold } from "./status.ts";

const read = sharedQuery("console:read");
const write = canWithApp("budget:write");

export const budgetsRouter = router({
  statuses: read.output(z.array(budgetView)).query(({ ctx }) => budgetStatuses(ctx.db, ctx.workspaceId)),
  overThreshold: read.output(z.array(budgetView)).query(({ ctx }) => budgetsOverThreshold(ctx.db, ctx.workspaceId)),
  detail: read
    .input(budgetById)
    .output(budgetDetailView)
    .query(({ ctx, input }) => service.detail(ctx.db, ctx.workspaceId, input)),
  binding: read
    .input(askBinding)
    .output(askedBindingView)
    .query(({ ctx, input }) => service.bindingOf(ctx.db, ctx.workspaceId, input)),
  targets: read.output(targetsView).query(({ ctx }) => targets(ctx.db, ctx.workspaceId)),
  create: write
    .input(createBudget)
    .output(budgetById)
    .mutation(({ ctx, input }) => service.create(ctx.app, ctx.actor, input)),
  change: write.input(changeBudget).mutation(({ ctx, input }) => service.change(ctx.app, ctx.actor, input)),
  remove: write.input(removeBudget).mutation(({ ctx, input }) => service.remove(ctx.app, ctx.actor, input)),
  releaseLapsed: write
    .input(budgetById)
    .output(releasedView)
    .mutation(({ ctx, input }) => service.releaseLapsed(ctx.app, ctx.actor, input)),
  release: write.input(releaseReservation).mutation(({ ctx, input }) => service.release(ctx.app, ctx.actor, input)),
});
