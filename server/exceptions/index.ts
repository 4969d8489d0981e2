export { createExceptionsInForce, type ExceptionsInForce } from "./exceptions-in-force.ts";
export { createExceptionsStep } from "./gate-step.ts";
export { createExceptionLapses } from "./lapses.ts";
export { listPastExceptions, type PastException, pastLifter } from "./past-exceptions.ts";
export { listUnreadableExceptions, make } from "./service.ts";
