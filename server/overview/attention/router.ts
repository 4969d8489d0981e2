import { canWithApp, router } from "../../trpc/init.ts";
import { attentionView } from "./schema.ts";
import * as service from "./service.ts";

export const attentionRouter = router({
  counts: canWithApp("console:read")
    .output(attentionView)
    .query(({ ctx }) => service.counts(ctx.app, ctx.db, ctx.actor)),
});
