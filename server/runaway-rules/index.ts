/**
 * Runaway rules: the counters of `repeat_guard`, and the halts that it makes. docs/runaway-rules.md gives the
 * guarantees.
 */
export { createGuardCleanup } from "./cleanup.ts";
export { createRunawayStep } from "./gate-step.ts";
export { createRepeatGuards, type RepeatGuards } from "./guard.ts";
export { countNewTools, countRunawayHalts } from "./repository.ts";
