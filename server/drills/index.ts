export { createDrillsStep } from "./gate-step.ts";
export { createDrillCalls, type DrillCalls, newestByAgent, report, start } from "./service.ts";
