import { can, canWithApp, router } from "../trpc/init.ts";
import { setRules, viewRules } from "./approver-rules.ts";
import { approverRules, approverRulesView } from "./approver-rules-schema.ts";
import { answerRequest, approvalList, precedentView, requestById } from "./schema.ts";
import * as service from "./service.ts";

export const approvalsRouter = router({
  list: can("console:read")
    .output(approvalList)
    .query(({ ctx }) => service.list(ctx.db, ctx.actor)),
  precedent: can("console:read")
    .input(requestById)
    .output(precedentView)
    .query(({ ctx, input }) => service.precedent(ctx.db, ctx.workspaceId, input.id)),
  answer: canWithApp("approval:decide")
    .input(answerRequest)
    .mutation(({ ctx, input }) => service.answer(ctx.app, ctx.actor, input)),
  rules: can("console:read")
    .output(approverRulesView)
    .query(({ ctx }) => viewRules(ctx.db, ctx.workspaceId)),
  setRules: canWithApp("policy:govern")
    .input(approverRules)
    .mutation(({ ctx, input }) => setRules(ctx.app, ctx.actor, input)),
  withdraw: canWithApp("approval:decide")
    .input(requestById)
    .mutation(({ ctx, input }) => service.withdraw(ctx.app, ctx.actor, input.id)),
});
