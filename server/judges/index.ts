export { dayOf } from "./account.ts";
export { DEMO_MODEL_URL } from "./demo-model.ts";
export { type KnownCosts, sumCostsByModel } from "./known-costs.ts";
export type { Budget } from "./model-client.ts";
export { costAtMost } from "./price.ts";
export { OUTPUT_TOKENS_MAX } from "./provider-answer.ts";
export { summariseJudges } from "./report.ts";
export { findOnlyModel, listUnreadableConnections, save } from "./service.ts";
export { createModelClients, type Models } from "./workspace-model-clients.ts";
