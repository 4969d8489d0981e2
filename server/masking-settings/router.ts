import { can, canWithApp, router } from "../trpc/init.ts";
import { previewMasking } from "./preview.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

const manage = canWithApp("record:manage");

export const maskingSettingsRouter = router({
  get: can("console:read")
    .output(schema.maskingView)
    .query(({ ctx }) => service.getMasking(ctx.db, ctx.actor)),
  /** A mutation, so that the test text is in no address. Stores nothing. */
  preview: manage
    .input(schema.previewMasking)
    .output(schema.maskingPreview)
    .mutation(({ ctx, input }) => previewMasking(ctx.db, ctx.workspaceId, input)),
  save: manage
    .input(schema.saveMasking)
    .output(schema.savedMasking)
    .mutation(({ ctx, input }) => service.saveMasking(ctx.app, ctx.actor, input)),
  decide: canWithApp("policy:review")
    .input(schema.decideMasking)
    .mutation(({ ctx, input }) => service.decideMasking(ctx.app, ctx.actor, input)),
  withdraw: manage
    .input(schema.withdrawMasking)
    .mutation(({ ctx, input }) => service.withdrawMasking(ctx.app, ctx.actor, input)),
});
