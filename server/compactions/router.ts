import { can, router } from "../trpc/init.ts";
import {
  attemptDetailView,
  attemptKey,
  compactionRange,
  compactionSummaryView,
  compactionsView,
  listCompactions,
} from "./schema.ts";
import * as service from "./service.ts";

export const compactionsRouter = router({
  summary: can("console:read")
    .input(compactionRange)
    .output(compactionSummaryView)
    .query(({ ctx, input }) => service.summary(ctx.db, ctx.workspaceId, input)),
  list: can("console:read")
    .input(listCompactions)
    .output(compactionsView)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  get: can("console:read")
    .input(attemptKey)
    .output(attemptDetailView)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input)),
});
