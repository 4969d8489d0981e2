export { createExceptionsInForce, type ExceptionsInForce } from "./exceptions-in-force.ts";
export { createExceptionsStep } from "./gate-step.ts";
export { createExceptionLapses } from "./lapses.ts";
export { listUnreadableExceptions, make } from "./service.ts";
