/**
 * The steps of a call in their order. `before` runs down this list, and a step's `decide` calls those of the steps
 * below.
 */
import { type ApprovalGate, createPeopleStep } from "../approvals/index.ts";
import { type CallJudge, createCountedStep, type GateStep } from "../dispatches/index.ts";
import { createDrillsStep, type DrillCalls } from "../drills/index.ts";
import { createExceptionsStep, type ExceptionsInForce } from "../exceptions/index.ts";
import { createHaltsStep, type HaltsInForce } from "../halts/index.ts";
import type { Pool } from "../platform/db.ts";
import type { Plans } from "../policies/index.ts";
import { createRunawayStep, type RepeatGuards } from "../runaway-rules/index.ts";
import { createShadowStep, type ShadowRunner } from "../shadow-mode/index.ts";

export interface GateStepsWorld {
  readonly pool: Pool;
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
  // First: a drill's call is denied whatever the other steps decide, and those below see that it is a drill.
  createDrillsStep(world.drills),
  // Before halts: its notes can cause a halt, and this call is then the first that is halted.
  createRunawayStep(world.repeatGuards, world.plans),
  // Before rules and people: a halted call runs no hook and asks no person. When the call is decided again under new
  // halts, both are unchanged.
  createHaltsStep(world.halts),
  // Before people: no person is asked about a call that an exception covers.
  createExceptionsStep(world.exceptions),
  // Around the rules, whose questions it asks people.
  createPeopleStep(world.approvals, world.judge),
  // It decides nothing: its mark is in the record of a report.
  createCountedStep(world.pool),
  // Last: it runs once the agent has its answer.
  createShadowStep(world.observing),
];
