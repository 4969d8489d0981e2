export { approvalSources, countFinalDecisions, type FinalDecisionCount } from "./approval-sources.ts";
export { countDeniedButRan, get, list } from "./service.ts";
