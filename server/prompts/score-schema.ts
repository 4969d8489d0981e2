/** The views of two trials side by side, and of right and wrong answers on labelled calls. */
import { z } from "zod";
import { count, DECISIONS, judgedText, recordedKey, trialView } from "./schema.ts";

const verdict = z.enum([...DECISIONS, "split", "other"]);

/** Answers of one side on the labelled calls that both sides answered. */
const sideScore = z.strictObject({ right: count, wrong: count });

const callScore = z.enum(["newly_wrong", "newly_right", "wrong", "right"]);
export type CallScore = z.infer<typeof callScore>;

const scoreView = z.strictObject({
  /** Labelled calls whose expected decision is known. */
  labelled: count,
  /** The labelled calls that both sides answered; with 0, there is no comparison. */
  compared: count,
  /** Calls whose labels differ: their expected decision is not known, so they are not counted. */
  disputed: count,
  before: sideScore,
  after: sideScore,
  newlyWrong: count,
  newlyRight: count,
});
export type ScoreView = z.infer<typeof scoreView>;

const sideView = z.strictObject({
  /** The most frequent answer; `split` when two are, null when none was given. */
  verdict: verdict.nullable(),
  answers: z.array(z.string()),
  reason: z.string(),
  /** The answer that the reason is taken from, which a label in the row is for; null when none was given. */
  spoken: z.strictObject({ place: count, repeat: count, verdict: z.string() }).nullable(),
});
export type SideView = z.infer<typeof sideView>;
export const comparisonView = z.strictObject({
  left: trialView,
  right: trialView,
  /** The calls that both trials were asked about; changed ones first. */
  rows: z.array(
    recordedKey.extend({
      event: z.string(),
      tool: z.string().nullable(),
      agentName: z.string(),
      excerpt: z.string().nullable(),
      /** On a labelled call: right or wrong on the right side, and newly so; null when that is not known. */
      score: callScore.nullable(),
      state: z.enum(["changed", "agree", "unknown"]),
      left: sideView,
      right: sideView,
      expected: z.enum([...DECISIONS, "disputed"]).nullable(),
    }),
  ),
  /** Recorded calls that only one of them was asked about. */
  apart: count,
  /** Right and wrong answers on the labelled calls that both sides answered; `labelled` counts all of the prompt. */
  score: scoreView,
});
export type ComparisonView = z.infer<typeof comparisonView>;

/** The text that is about to be published. */
export const scoreText = judgedText.extend({ promptId: z.uuid() });
export type ScoreText = z.infer<typeof scoreText>;

export const textScoreView = scoreView.extend({
  /** The revision that the text is compared with; 0 without a revision. */
  revision: count,
  /** True if the text is right on fewer of these calls than the revision: publishing it requires a comment. */
  isWorse: z.boolean(),
  /** The calls whose answer changed from right to wrong, then the other changes; the first few. */
  changed: z.array(
    recordedKey.extend({
      event: z.string(),
      tool: z.string().nullable(),
      excerpt: z.string().nullable(),
      score: z.enum(["newly_wrong", "newly_right"]),
      expected: z.enum(DECISIONS),
      before: verdict,
      after: verdict,
    }),
  ),
});
export type TextScoreView = z.infer<typeof textScoreView>;
