export { createDrillsStep } from "./gate-step.ts";
export { createDrillCalls, type DrillCalls, newestByAgent } from "./service.ts";
