export { haltAnswer, haltReason, isHaltable } from "./halt-answer.ts";
export { createHaltsInForce, type HaltInForce, type HaltsInForce, type WorkspaceHalts } from "./halts-in-force.ts";
export * from "./service.ts";
