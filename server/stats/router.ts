import { reads, router } from "../trpc/init.ts";
import { statsView } from "./schema.ts";
import * as service from "./service.ts";

export const statsRouter = router({
  everything: reads("console:read")
    .output(statsView)
    .query(({ ctx }) => service.everything(ctx.db, ctx.workspaceId)),
});
