import { router, sharedQuery } from "../../trpc/init.ts";
import { downtimeInput, downtimeView } from "./schema.ts";
import * as service from "./service.ts";

export const uptimeRouter = router({
  downtime: sharedQuery("console:read")
    .input(downtimeInput)
    .output(downtimeView)
    .query(({ ctx, input }) => service.downtime(ctx.db, input)),
});
