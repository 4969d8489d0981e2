export { createExecutorCalls } from "./executor-calls.ts";
export { createHaltsStep } from "./gate-step.ts";
export { createHaltsInForce, type HaltsInForce } from "./halts-in-force.ts";
export {
  type HaltContext,
  halt,
  haltByRule,
  isAgentHalted,
  isGroupHalted,
  list,
  listUnreadableHalts,
  ofAgent,
  resume,
} from "./service.ts";
