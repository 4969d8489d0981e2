/** The port of a model hook: somebody who puts one question to a model. Knows no provider. */
import type { JudgeCause, JudgeUsage } from "../../contract/judge.ts";
import type { HookPath } from "../../engine/ports.ts";

export interface ModelClient {
  /**
   * The model's answer.
   *
   * Errors: a ModelRefusal says why there is none; any other rejection counts as `provider_error`. The signal is the
   * deadline: whoever asked has stopped waiting by then.
   */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
}

export interface ModelQuestion {
  /** As the hook names it: `openai/gpt-4o-mini`. */
  readonly model: string;
  readonly system: string;
  readonly user: string;
  /** The shape of the reply, for providers that can hold a model to it. */
  readonly schema?: ReplyShape;
  /** The hook that asks, so that budgets and limits can name it. */
  readonly asker: HookPath;
  /** The rest of the hook's own time when the question is put, at most. */
  readonly timeoutMs: number;
}

export interface ReplyShape {
  readonly name: string;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly strict: boolean;
}

export interface ModelAnswer {
  readonly text: string;
  readonly usage?: JudgeUsage;
  /** Null or absent: the answer has no price. */
  readonly costNanoUsd?: bigint | null;
  readonly provider?: string;
  /** The model that answered, in the provider's words. */
  readonly model?: string;
}

/** The reason why a model gave no answer, and what was spent on it nevertheless. */
export class ModelRefusal extends Error {
  readonly code: JudgeCause;
  readonly spent: Partial<Omit<ModelAnswer, "text">> & { readonly text?: string };

  constructor(code: JudgeCause, message: string, spent: ModelRefusal["spent"] = {}) {
    super(message);
    this.name = "ModelRefusal";
    this.code = code;
    this.spent = spent;
  }
}
