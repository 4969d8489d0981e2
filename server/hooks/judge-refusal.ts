/** The reason why a judge gave no answer, as stored in its record. */
import type { JudgeCall, JudgeCause, JudgeUsage } from "./contract/judge.ts";

/** The facts about an answer that its record keeps. */
export interface JudgeFacts {
  readonly text?: string | undefined;
  readonly usage?: JudgeUsage | undefined;
  /** Null or absent: the answer has no known price. */
  readonly costNanoUsd?: bigint | null | undefined;
  readonly provider?: string | undefined;
  /** The model that answered, as the provider names it. */
  readonly model?: string | undefined;
  /** The first connection, which did not answer. */
  readonly skipped?: JudgeCall["skipped"] | undefined;
}

/** The error for a missing answer, with its costs. Any other error of a client counts as `provider_error`. */
export class JudgeRefusal extends Error {
  override readonly name: string = "JudgeRefusal";
  readonly code: JudgeCause;
  readonly spent: JudgeFacts;

  constructor(code: JudgeCause, message: string, spent: JudgeFacts = {}) {
    super(message);
    this.code = code;
    this.spent = spent;
  }
}
