import { z } from "zod";
import { can, router } from "../trpc/init.ts";
import { decisionDetail, decisionFacets, decisionKey, decisionPage, decisionRange, listDecisions } from "./schema.ts";
import * as service from "./service.ts";

const read = can("console:read");

export const decisionsRouter = router({
  list: read
    .input(listDecisions)
    .output(decisionPage)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  facets: read
    .input(z.strictObject({ range: decisionRange }))
    .output(decisionFacets)
    .query(({ ctx, input }) => service.facets(ctx.db, ctx.workspaceId, input.range)),
  get: read
    .input(decisionKey)
    .output(decisionDetail)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input)),
});
