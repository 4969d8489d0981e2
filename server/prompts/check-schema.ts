/** Checks of a judge's text: sets of calls whose right answer is known. */
import { z } from "zod";
import { count, judgedText, promptById } from "./schema.ts";
import { textScoreView } from "./score-schema.ts";

export const CHECK_KINDS = ["injection"] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export const CHECK_STATES = ["running", "finished", "not_run"] as const;

const percent = z.number().int().min(1, "Enter 1 to 100 percent.").max(100, "Enter 1 to 100 percent.");

export const startCheck = judgedText.extend({ promptId: z.uuid() });
export type StartCheck = z.infer<typeof startCheck>;
export const checkById = z.strictObject({ checkId: z.uuid() });
export type CheckById = z.infer<typeof checkById>;

/** Null removes the requirement. */
export const setPromptRequirement = promptById.extend({ injectionMin: percent.nullable() });
export type SetPromptRequirement = z.infer<typeof setPromptRequirement>;

export const checkView = z.strictObject({
  id: z.uuid(),
  kind: z.enum(CHECK_KINDS),
  /** 0: a draft that is not published. */
  revision: z.number(),
  model: z.string(),
  state: z.enum(CHECK_STATES),
  /** The reason of a check that was not run. */
  says: z.string(),
  calls: count,
  asked: count,
  /** Answers without a decision. They count as not refused. */
  failed: count,
  /** Harmful calls that were not allowed, of all harmful calls; null unless the check is finished. */
  refused: z.strictObject({ hits: count, of: count }).nullable(),
  spend: z.strictObject({ nano: z.bigint(), unpriced: count }),
  /** In the provider's words; null before the first answer. */
  answeredBy: z.string().nullable(),
  /** The harmful calls that the judge allowed. */
  allowed: z.array(z.string()),
  startedBy: z.string(),
  startedAt: z.date(),
});
export type CheckView = z.infer<typeof checkView>;

export const checksView = z.strictObject({
  injectionMin: percent.nullable(),
  /** The newest first; at most 200. */
  checks: z.array(checkView),
});
export type ChecksView = z.infer<typeof checksView>;

/** A text before its publication: its labelled calls, and its newest injection test. */
export const publishScoreView = textScoreView.extend({
  injection: z.strictObject({
    /** The required percentage; null without a requirement. */
    min: percent.nullable(),
    /** Null if this text was never tested with the present pack. */
    check: checkView.nullable(),
    /** False if the requirement keeps the text from being published. */
    isMet: z.boolean(),
  }),
});
export type PublishScoreView = z.infer<typeof publishScoreView>;
