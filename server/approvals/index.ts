export { listUnreadableRules, needsOthers, viewRules } from "./approver-rules.ts";
export { bindingOf, hasExactNumbers } from "./binding.ts";
export { type ApprovalGate, createApprovalGate } from "./gate.ts";
export { createPeopleStep } from "./gate-step.ts";
export { createLapsing } from "./lapsing.ts";
export { type OpenRequest, openRequests } from "./open-requests.ts";
export { ownAgentsOf } from "./own-agents.ts";
export { type HeldCall, listHeldCalls, listRequestsByNumber } from "./requests-of-calls.ts";
export {
  answer,
  countAnswerable,
  getAsked,
  list,
  requestToJudge,
  requireForeignAgent,
  requireForeignAgentTx,
} from "./service.ts";
