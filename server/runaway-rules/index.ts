/** Runaway rules: what `repeat_guard` counts, and the halts that it makes. docs/runaway-rules.md says what holds. */
export { createGuardCleanup } from "./cleanup.ts";
export { createRunawayStep } from "./gate-step.ts";
export { createRepeatGuards, type RepeatGuards } from "./guard.ts";
export { countNewTools, countRunawayHalts } from "./repository.ts";
