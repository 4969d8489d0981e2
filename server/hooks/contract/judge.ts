/** What is kept of a question put to a model by a hook: the words a record of it is made of. Runs in the browser too. */

/** Why a judge did not answer as asked. Each is a failure of its hook. */
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
  /** What may be spent today is spent. */
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
  /** What the model was sent, after redaction. */
  prompt?: string;
  /** What it said, as it said it; cut when it was too large. */
  reply?: string;
  usage?: JudgeUsage;
  /** Null: the answer has no price. Absent: there was no answer. */
  costNanoUsd?: bigint | null;
  /** Who answered, when the client says so. */
  provider?: string;
  answeredBy?: string;
  latencyMs?: number;
  /** Why it came to nothing, when it did. */
  cause?: JudgeCause;
}

/** The schema that reads a reply as allow, ask or deny. */
export const PRE_TOOL_USE_DECISION = "pre_tool_use_decision";
/** Schemas a hook may name; embedders of the core can bring more. */
export const REPLY_SCHEMAS: readonly string[] = [PRE_TOOL_USE_DECISION];
