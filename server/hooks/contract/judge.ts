/** The stored record of a question that a hook put to a model: the words it is made of. Runs in the browser too. */

/** The reasons why a judge did not answer as asked. Each is a failure of its hook. */
export const JUDGE_CAUSES = [
  /** The hook's own time was over. */
  "timeout",
  /** Whoever dispatched no longer wants to know. */
  "cancelled",
  /** The model declined to answer. */
  "refused",
  /** The reply was empty where a decision was asked for. */
  "empty",
  /** The reply holds no decision. */
  "unparsable",
  /** The provider answered with an error, or with what is no answer. */
  "provider_error",
  "no_credential",
  /** No such model, or none is connected at all. */
  "no_model",
  /** Today's budget is spent. */
  "over_budget",
  /** Too many questions at once. */
  "overloaded",
  /** The question or the reply is larger than allowed. */
  "too_large",
] as const;
export type JudgeCause = (typeof JUDGE_CAUSES)[number];

/** Tokens of one answer; kinds do not overlap, except that reasoning is part of output. */
export interface JudgeUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** One question put to a model, filled in as it becomes known; what is absent was never known. */
export interface JudgeCall {
  /** As the hook names it: `openai/gpt-4o-mini`. */
  readonly model: string;
  readonly schema?: string;
  /** The judge prompt and revision the hook is labelled with: `shell-risk@3`. */
  readonly label?: string;
  system?: string;
  /** The prompt that the model was sent, after redaction. */
  prompt?: string;
  /** The model's reply, verbatim; cut when it was too large. */
  reply?: string;
  usage?: JudgeUsage;
  /** Null: the answer has no price. Absent: there was no answer. */
  costNanoUsd?: bigint | null;
  /** The provider that answered, if the client names it. */
  provider?: string;
  answeredBy?: string;
  latencyMs?: number;
  /** The evaluator that was asked, where no judge prompt was. */
  readonly evaluator?: string;
  /** The cause of a failed call; absent when it did not fail. */
  cause?: JudgeCause;
}

/** The schema that reads a reply as allow, ask or deny. */
export const PRE_TOOL_USE_DECISION = "pre_tool_use_decision";
/** The schema that reads a reply as allow or deny, with exactly two keys; since profile 2026-11. */
export const GUARD_DECISION = "guard_decision";
/** Schemas a hook may name in every profile; embedders of the core can bring more. */
export const REPLY_SCHEMAS: readonly string[] = [PRE_TOOL_USE_DECISION];
