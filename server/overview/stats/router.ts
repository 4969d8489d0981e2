import { coalescedQuery, router } from "../../trpc/init.ts";
import { statsView } from "./schema.ts";
import * as service from "./service.ts";

export const statsRouter = router({
  everything: coalescedQuery("console:read")
    .output(statsView)
    .query(({ ctx }) => service.countEverything(ctx.db, ctx.workspaceId)),
});
