/** The way of a call: its steps in their order. `before` runs down this list, and a step's `decide` has the ones below it decide. */
import { type ApprovalGate, createPeopleStep } from "../approvals/index.ts";
import type { CallJudge, GateStep } from "../dispatches/index.ts";
import { createDrillsStep, type DrillCalls } from "../drills/index.ts";
import { createExceptionsStep, type ExceptionsInForce } from "../exceptions/index.ts";
import { createHaltsStep, type HaltsInForce } from "../halts/index.ts";
import type { Plans } from "../policies/index.ts";
import { createRunawayStep, type RepeatGuards } from "../runaway-rules/index.ts";
import { createShadowStep, type ShadowRunner } from "../shadow-mode/index.ts";

export interface GateStepsWorld {
  readonly drills: DrillCalls;
  readonly repeatGuards: Pick<RepeatGuards, "noteOutcome">;
  readonly halts: HaltsInForce;
  readonly exceptions: ExceptionsInForce;
  readonly approvals: ApprovalGate;
  readonly judge: CallJudge;
  readonly observing: Pick<ShadowRunner, "observe">;
  readonly plans: Plans;
}

export const gateStepsOf = (world: GateStepsWorld): readonly GateStep[] => [
  // First: a drill's call is denied whatever the others say, and those below see that it is one.
  createDrillsStep(world.drills),
  // Before halts: what it notes can halt, and then this call's halt is the new one.
  createRunawayStep(world.repeatGuards, world.plans),
  // Before rules and people: a halted call runs no hook and asks nobody. Decided again under new halts, it finds both as they were.
  createHaltsStep(world.halts),
  // Before people: what an exception lifts is no question any more.
  createExceptionsStep(world.exceptions),
  // Around the rules, whose questions it puts to people.
  createPeopleStep(world.approvals, world.judge),
  // Last: it runs once the agent has its answer.
  createShadowStep(world.observing),
];
