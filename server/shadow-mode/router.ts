import { z } from "zod";
import { coalescedQuery, router } from "../trpc/init.ts";
import { listObservations, observationsPage, observedSums } from "./schema.ts";
import * as service from "./service.ts";

const read = coalescedQuery("console:read");

export const shadowModeRouter = router({
  list: read
    .input(listObservations)
    .output(observationsPage)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  sums: read.output(z.array(observedSums)).query(({ ctx }) => service.sums(ctx.db, ctx.workspaceId)),
});
