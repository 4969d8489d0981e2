/** The port of an evaluator hook: the evaluators in an agent's configuration. Independent of the provider. */
import type { JudgeCause } from "../../contract/judge.ts";
import type { ResolvedEvaluator } from "../../contract/resolved-evaluator.ts";
import type { HookPath } from "../../engine/ports.ts";
import { type JudgeFacts, JudgeRefusal } from "../../judge-refusal.ts";

export interface EvaluatorClient {
  /**
   * The agent's evaluator with this name; undefined if the agent has no such evaluator. `defined` is the definition that came
   * with the hook.
   */
  evaluatorOf(name: string, agent: string, defined: ResolvedEvaluator | undefined): Evaluator | undefined;
  /** The agent's `routing.default_agent`; undefined if not set. */
  defaultAgentOf(agent: string, defined: ResolvedEvaluator | undefined): string | undefined;
}

export interface Evaluator {
  /** `provider/model`, for accounts. */
  readonly model: string;
  /** The question about the state, for the record. */
  readonly instructions?: string;
  /**
   * The evaluator's answer; null if the provider gave no answer. Applies the evaluator's own time limit and rejects after it.
   * Errors: an EvaluatorRefusal is final; a JudgeRefusal carries the reason for a missing answer; any other rejection is the
   * provider's.
   */
  evaluate(question: EvaluatorQuestion, signal: AbortSignal): Promise<EvaluatorAnswer | null>;
}

export interface EvaluatorQuestion {
  readonly state: Readonly<Record<string, unknown>>;
  /** The asking hook, for budgets and limits. */
  readonly asker: HookPath;
  /** The hook's own time limit. */
  readonly timeoutMs: number;
}

/** The provider's answer, unchecked. */
export interface EvaluatorAnswer extends Omit<JudgeFacts, "text"> {
  readonly type?: string | undefined;
  readonly choice?: string | undefined;
  readonly probabilities?: Readonly<Record<string, number>> | undefined;
  readonly probability?: number | undefined;
  /** Called when a guard has read the answer as a verdict. */
  keep?(isAllow: boolean): void;
}

/** The budget is spent, or the cost of a call is unknown. A route never falls back after this error. */
export class EvaluatorRefusal extends JudgeRefusal {
  override readonly name = "EvaluatorRefusal";

  constructor(message: string, code: JudgeCause = "over_budget", spent: JudgeFacts = {}) {
    super(code, message, spent);
  }
}
