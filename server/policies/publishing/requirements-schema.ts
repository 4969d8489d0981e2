/** The requirements of a workspace for each text that takes effect. */
import { z } from "zod";

export const NEW_DENIALS_MAX = 1_000_000;

/** Percent; null: no score is required. */
export const injectionMin = z
  .number()
  .int()
  .min(1, "Enter 1 to 100 percent.")
  .max(100, "Enter 1 to 100 percent.")
  .nullable();

export const publishRequirements = z.strictObject({
  /** A finished backtest of exactly this text, against what is in force now. */
  needsBacktest: z.boolean(),
  /** A person has reviewed the looser and the unknown calls of the backtest. */
  needsReview: z.boolean(),
  /** New denials on any day of the backtest; null: no limit. */
  newDenialsMax: z.number().int().min(0).max(NEW_DENIALS_MAX, "Enter at most 1,000,000.").nullable(),
  /** Every test case passes. An override is refused. */
  needsPassingCases: z.boolean(),
  /** The injection score of each judge, in percent; null: none is required. */
  injectionMin: injectionMin.default(null),
});
export type PublishRequirements = z.infer<typeof publishRequirements>;

export const publishRequirementsView = publishRequirements.extend({
  /** The person who set them; null while they are the default. */
  setBy: z.string().nullable(),
  setAt: z.date().nullable(),
});
export type PublishRequirementsView = z.infer<typeof publishRequirementsView>;

export const NO_REQUIREMENTS: PublishRequirements = {
  ...{ needsBacktest: false, needsReview: false, newDenialsMax: null, needsPassingCases: false },
  injectionMin: null,
};

export const requirementName = z.enum(["backtest", "review", "new_denials", "passing_cases", "injection_score"]);
export type RequirementName = z.infer<typeof requirementName>;
