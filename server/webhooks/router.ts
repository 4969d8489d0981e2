import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import {
  deliveryPage,
  listDeliveries,
  resolveDead,
  resolvedDead,
  rotatedSecret,
  rotateSecret,
  saveWebhook,
  saveWebhookResult,
  testedWebhook,
  webhookById,
  webhookView,
} from "./schema.ts";
import type { Webhooks } from "./service.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly webhooks: Webhooks;
  }
}

const read = can("webhook:manage");
const manage = canWithApp("webhook:manage");

export const webhooksRouter = router({
  list: read.output(z.array(webhookView)).query(({ ctx }) => service.list(ctx.db, ctx.workspaceId)),
  deliveries: read
    .input(listDeliveries)
    .output(deliveryPage)
    .query(({ ctx, input }) => service.deliveries(ctx.db, ctx.workspaceId, input)),
  save: manage
    .input(saveWebhook)
    .output(saveWebhookResult)
    .mutation(({ ctx, input }) => service.save(ctx.app.webhooks, ctx.actor, input)),
  remove: manage.input(webhookById).mutation(({ ctx, input }) => service.remove(ctx.app.webhooks, ctx.actor, input)),
  rotate: manage
    .input(rotateSecret)
    .output(rotatedSecret)
    .mutation(({ ctx, input }) => service.rotate(ctx.app.webhooks, ctx.actor, input)),
  test: manage
    .input(webhookById)
    .output(testedWebhook)
    .mutation(({ ctx, input }) => service.test(ctx.app.webhooks, ctx.actor, input)),
  resolveDead: manage
    .input(resolveDead)
    .output(resolvedDead)
    .mutation(({ ctx, input }) => service.resolveDead(ctx.app.webhooks, ctx.actor, input)),
});
