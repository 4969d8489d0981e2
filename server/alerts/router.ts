import { canWithApp, router, sharedQuery } from "../trpc/init.ts";
import {
  alertById,
  alertHistory,
  alertHistoryInput,
  alertList,
  alertPreview,
  alertSummary,
  previewAlert,
  saveAlert,
  snoozeAlert,
} from "./schema.ts";
import type { Alerts } from "./service.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly alerts: Alerts;
  }
}

const read = sharedQuery("console:read");
const write = canWithApp("alert:write");

export const alertsRouter = router({
  list: read.output(alertList).query(({ ctx }) => service.list(ctx.db, ctx.workspaceId)),
  summary: read.output(alertSummary).query(({ ctx }) => service.summary(ctx.db, ctx.workspaceId)),
  history: read
    .input(alertHistoryInput)
    .output(alertHistory)
    .query(({ ctx, input }) => service.history(ctx.db, ctx.workspaceId, input)),
  preview: read
    .input(previewAlert)
    .output(alertPreview)
    .query(({ ctx, input }) => service.preview(ctx.db, ctx.workspaceId, input)),
  save: write
    .input(saveAlert)
    .output(alertById)
    .mutation(({ ctx, input }) => service.save(ctx.app, ctx.actor, input)),
  remove: write.input(alertById).mutation(({ ctx, input }) => service.remove(ctx.app, ctx.actor, input)),
  snooze: write.input(snoozeAlert).mutation(({ ctx, input }) => service.snooze(ctx.app, ctx.actor, input)),
});
