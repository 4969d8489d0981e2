/** The limits of a canary, and its comparison with the other agents of the policy. */
import { z } from "zod";

export const CANARY_MEASURES = ["denied", "asked", "failed", "slow", "overturned"] as const;
export type CanaryMeasure = (typeof CANARY_MEASURES)[number];

/** Percentage points above the share of the other agents; null sets no limit. */
const points = z.number().int().min(1).max(99).nullable();
export const SLOW_MS_MAX = 60_000;

export const canaryLimits = z
  .strictObject({
    ...{ denied: points, asked: points, failed: points, slow: points, overturned: points },
    /** A call that takes longer is slow. Milliseconds. */
    slowMs: z.number().int().min(1).max(SLOW_MS_MAX),
  })
  .refine((limits) => CANARY_MEASURES.some((measure) => limits[measure] !== null), {
    error: "Set at least one limit, or start the canary without limits.",
  });
export type CanaryLimits = z.infer<typeof canaryLimits>;
/** Limits that withdraw the canary by themselves; null without. */
export const canaryOwnLimits = canaryLimits.nullable().optional();

export const DEFAULT_LIMITS: CanaryLimits = {
  ...{ denied: 5, asked: 10, failed: 2, slow: 10, overturned: 2 },
  slowMs: 1_000,
};

/** Fewer calls on one side give no verdict. */
export const CALLS_MIN = 30;

const count = z.number().int().nonnegative();
export const canaryCounts = z.strictObject({
  /** Agents with calls in the period. */
  agents: count,
  calls: count,
  ...{ denied: count, asked: count, failed: count, slow: count, overturned: count },
});
export type CanaryCounts = z.infer<typeof canaryCounts>;

export const canaryComparison = z.strictObject({
  /** The first instant that is compared. */
  from: z.coerce.date(),
  inside: canaryCounts,
  others: canaryCounts,
  state: z.enum(["too_few_inside", "too_few_others", "within", "passed"]),
  /** The first limit that was passed; null for every other state. */
  passed: z.enum(CANARY_MEASURES).nullable(),
});
export type CanaryComparison = z.infer<typeof canaryComparison>;

export const canaryWithdrawal = z.strictObject({
  revision: z.number().int(),
  at: z.coerce.date(),
  limits: canaryLimits,
  comparison: canaryComparison,
  /** Some of the calls that passed the limit, the newest first. */
  calls: z.array(z.strictObject({ id: z.uuid(), at: z.coerce.date() })),
});
export type CanaryWithdrawal = z.infer<typeof canaryWithdrawal>;
