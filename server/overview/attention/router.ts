import { can, requireApp, router } from "../../trpc/init.ts";
import { attentionView } from "./schema.ts";
import * as service from "./service.ts";

export const attentionRouter = router({
  counts: can("console:read")
    .output(attentionView)
    .query(({ ctx }) => service.counts(requireApp(ctx.app), ctx.db, ctx.actor)),
});
