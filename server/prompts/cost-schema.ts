/** The view of the costs of questions that no hook asked. */
import { z } from "zod";
import { count } from "./schema.ts";

export const PROMPT_COST_KINDS = ["known", "injection", "trial"] as const;
export type PromptCostKind = (typeof PROMPT_COST_KINDS)[number];

export const promptCostView = z.strictObject({
  kind: z.enum(PROMPT_COST_KINDS),
  /** Questions with an answer. */
  answers: count,
  unpriced: count,
  nano: z.bigint(),
});
export type PromptCostView = z.infer<typeof promptCostView>;
