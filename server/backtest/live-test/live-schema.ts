/** Live tests: a draft on the calls that are recorded from now on. Inputs and results. */
import { z } from "zod";
import { backtestRun, newVerdictsView } from "../run-schema.ts";

export const LIVE_LIMITS = {
  percentMin: 1,
  percentMax: 50,
  percentUsual: 10,
  /** Results are kept this long. */
  daysMax: 180,
  /** Live tests of a workspace that follow calls. */
  openMax: 5,
} as const;

export const startLiveTest = z.strictObject({
  policyId: z.uuid(),
  draftVersion: z.number().int().min(0).max(2_147_483_647),
  /** The processor time that it may use, in percent of one processor. */
  percent: z.number().int().min(LIVE_LIMITS.percentMin).max(LIVE_LIMITS.percentMax).default(LIVE_LIMITS.percentUsual),
  /** Null: until a person stops it. */
  until: z.date().nullable(),
});
export type StartLiveTest = z.infer<typeof startLiveTest>;

/** The live test of a policy's draft: the one that follows calls, or the newest one of exactly the draft's text. */
export const liveTestView = z.object({ run: backtestRun, newVerdicts: newVerdictsView });
export type LiveTestView = z.infer<typeof liveTestView>;
