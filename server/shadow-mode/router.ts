import { z } from "zod";
import { coalescedQuery, router } from "../trpc/init.ts";
import {
  dispatchObservation,
  listObservations,
  monitoredRuleSums,
  observationsOfDispatch,
  observationsPage,
  observedSums,
} from "./schema.ts";
import * as service from "./service.ts";

const read = coalescedQuery("console:read");

export const shadowModeRouter = router({
  list: read
    .input(listObservations)
    .output(observationsPage)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  ofDispatch: read
    .input(observationsOfDispatch)
    .output(z.array(dispatchObservation))
    .query(({ ctx, input }) => service.listOfDispatch(ctx.db, ctx.workspaceId, input)),
  ruleSums: read.output(z.array(monitoredRuleSums)).query(({ ctx }) => service.ruleSums(ctx.db, ctx.workspaceId)),
  sums: read.output(z.array(observedSums)).query(({ ctx }) => service.sums(ctx.db, ctx.workspaceId)),
});
