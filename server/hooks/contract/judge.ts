/** The types of the stored record of a hook's question to a model. Also used in the browser. */

/** The reasons why a judge gave no valid answer. Each one is a failure of its hook. */
export const JUDGE_CAUSES = [
  /** The hook timed out. */
  "timeout",
  /** The dispatch was cancelled. */
  "cancelled",
  /** The model declined to answer. */
  "refused",
  /** The reply was empty, but a decision was required. */
  "empty",
  /** The reply contains no decision. */
  "unparsable",
  /** The provider returned an error or an invalid answer. */
  "provider_error",
  "no_credential",
  /** The model is unknown, or no model is connected. */
  "no_model",
  /** Today's budget is spent. */
  "over_budget",
  /** The judge is halted. */
  "halted",
  /** Too many questions at once. */
  "overloaded",
  /** The question or the reply is larger than allowed. */
  "too_large",
] as const;
export type JudgeCause = (typeof JUDGE_CAUSES)[number];

/** The tokens of one answer. The kinds do not overlap, except that output includes reasoning. */
export interface JudgeUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** One question to a model, filled in as values become known. An absent value never became known. */
export interface JudgeCall {
  /** The model as the hook names it: `openai/gpt-4o-mini`. */
  readonly model: string;
  readonly schema?: string;
  /** The judge prompt and revision in the hook's label: `shell-risk@3`. */
  readonly label?: string;
  system?: string;
  /** The prompt that was sent, after redaction. */
  prompt?: string;
  /** The model's reply, verbatim; truncated if too large. */
  reply?: string;
  usage?: JudgeUsage;
  /** Null: the answer has no known price. Absent: no answer. */
  costNanoUsd?: bigint | null;
  /** The provider that answered, if the client names it. */
  provider?: string;
  answeredBy?: string;
  /** The first connection and the cause of its missing answer, when a second was asked. */
  skipped?: { readonly provider: string; readonly cause: JudgeCause };
  latencyMs?: number;
  /** The evaluator that was asked instead of a judge prompt. */
  readonly evaluator?: string;
  /** The cause of a failed call; absent for a successful one. */
  cause?: JudgeCause;
}

/** The provider of an answer that was given before to the same question. No connection can have this name. */
export const VERDICT_CACHE = "(cache)";

/** The schema that reads a reply as allow, ask or deny. */
export const PRE_TOOL_USE_DECISION = "pre_tool_use_decision";
/** The schema that reads a reply as allow or deny, with exactly two keys; since profile 2026-11. */
export const GUARD_DECISION = "guard_decision";

/** The decision of a judge whose hook returned `said`. A guard that lets a call pass gives no verdict of its own. */
export const decisionOfJudge = (said: string, schema: string | undefined): string =>
  schema === GUARD_DECISION && said === "nothing" ? "allow" : said;
