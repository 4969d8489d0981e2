export { createShadowStep } from "./gate-step.ts";
export { createObservations } from "./service.ts";
export { createShadowRunner, type ShadowRunner } from "./shadow-runner.ts";
