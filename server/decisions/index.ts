export { approvalSources, countFinalDecisions, type FinalDecisionCount } from "./approval-sources.ts";
export { type CallFollower, createCallFollower } from "./live-calls/follower.ts";
export { OUTCOME_OF_ROWS } from "./outcome-sql.ts";
export { countDeniedButRan, get, list } from "./service.ts";
