import { reads, router } from "../trpc/init.ts";
import { reachOfPolicy, reachView } from "./reach-schema.ts";
import { ruleCards, ruleDetail, ruleOfRange, ruleRange } from "./schema.ts";
import * as service from "./service.ts";

const read = reads("console:read");

export const rulesRouter = router({
  cards: read
    .input(ruleRange)
    .output(ruleCards)
    .query(({ ctx, input }) => service.cards(ctx.db, ctx.workspaceId, input)),
  get: read
    .input(ruleOfRange)
    .output(ruleDetail)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input)),
  reach: read
    .input(reachOfPolicy)
    .output(reachView)
    .query(({ ctx, input }) => service.reach(ctx.db, ctx.workspaceId, input.policyId)),
});
