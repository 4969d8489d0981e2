import { requestById } from "../../approvals/schema.ts";
import { coalescedQuery, router } from "../../trpc/init.ts";
import { requestReading } from "./schema.ts";
import { readRequest } from "./service.ts";

/** Calls as rules read them. A reading never changes, so it belongs to no topic of live changes. */
export const callReadingsRouter = router({
  ofRequest: coalescedQuery("console:read")
    .input(requestById)
    .output(requestReading)
    .query(({ ctx, input }) => readRequest(ctx.db, ctx.workspaceId, input.id)),
});
