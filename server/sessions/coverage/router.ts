import { coalescedQuery, router } from "../../trpc/init.ts";
import { coverageInput, coverageView } from "../schema.ts";
import * as service from "./service.ts";

/** Apart from the sessions: it changes after each check, not with every event. */
export const coverageRouter = router({
  sums: coalescedQuery("console:read")
    .input(coverageInput)
    .output(coverageView)
    .query(({ ctx, input }) => service.coverage(ctx.db, ctx.workspaceId, input)),
});
