export { listUnreadableRules, needsOthers } from "./approver-rules.ts";
export { bindingOf, hasExactNumbers } from "./binding.ts";
export { type ApprovalGate, createApprovalGate } from "./gate.ts";
export { createPeopleStep } from "./gate-step.ts";
export { createLapsing } from "./lapsing.ts";
export { type OpenRequest, openRequests } from "./open-requests.ts";
export { ownAgentsOf } from "./own-agents.ts";
export { answer, countOpen, list, requestToJudge, requireForeignAgent, requireForeignAgentTx } from "./service.ts";
