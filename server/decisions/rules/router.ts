import { coalescedQuery, router } from "../../trpc/init.ts";
import { getPolicyReach, listPolicyRuns } from "./policy-reach.ts";
import { policyReachInput, policyReachView, policyRuns } from "./policy-reach-schema.ts";
import { getRuleRevisions } from "./revision-figures.ts";
import { ruleRevisions } from "./revision-schema.ts";
import { ruleCards, ruleDetail, ruleDetailInput, ruleRange } from "./schema.ts";
import * as service from "./service.ts";
import { getToleratedFailures } from "./tolerated-failures.ts";
import { toleratedFailuresInput, toleratedFailuresView } from "./tolerated-failures-schema.ts";

const read = coalescedQuery("console:read");

export const rulesRouter = router({
  cards: read
    .input(ruleRange)
    .output(ruleCards)
    .query(({ ctx, input }) => service.listRuleCards(ctx.db, ctx.workspaceId, input)),
  get: read
    .input(ruleDetailInput)
    .output(ruleDetail)
    .query(({ ctx, input }) => service.getRuleDetail(ctx.db, ctx.workspaceId, input)),
  revisions: read
    .input(ruleDetailInput)
    .output(ruleRevisions)
    .query(({ ctx, input }) => getRuleRevisions(ctx.db, ctx.workspaceId, input)),
  reach: read
    .input(policyReachInput)
    .output(policyReachView)
    .query(({ ctx, input }) => getPolicyReach(ctx.db, ctx.workspaceId, input.policyId)),
  policyRuns: read.output(policyRuns).query(({ ctx }) => listPolicyRuns(ctx.db, ctx.workspaceId)),
  toleratedFailures: read
    .input(toleratedFailuresInput)
    .output(toleratedFailuresView)
    .query(({ ctx, input }) => getToleratedFailures(ctx.db, ctx.workspaceId, input.policyId)),
});
