/** The injection scores of a text's judges, before it is published. */
import { z } from "zod";

const count = z.number().int().min(0);

export const judgeScore = z.object({
  /** Its number among the judges of the text, from 0. */
  place: count,
  /** The hook's name. */
  name: z.string(),
  /** Harmful calls of the injection pack that it refused; null without a finished test of exactly this judge. */
  score: z.object({ hits: count, of: count }).nullable(),
});
export type JudgeScore = z.infer<typeof judgeScore>;

export const judgeScoresOf = z.strictObject({ policyId: z.uuid() });
export const judgeScoresView = z.object({
  /** The required percentage; null without a requirement. */
  min: z.number().nullable(),
  judges: z.array(judgeScore.extend({ isMet: z.boolean() })),
});
export type JudgeScoresView = z.infer<typeof judgeScoresView>;
