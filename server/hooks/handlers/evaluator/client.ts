/** The port of an evaluator hook: the evaluators of an agent's configuration. Knows no provider. */
import type { JudgeUsage } from "../../contract/judge.ts";
import type { HookPath } from "../../engine/ports.ts";

export interface EvaluatorClient {
  /** The evaluator that a name stands for at an agent; undefined when the agent has none of that name. */
  evaluatorOf(name: string, agent: string): Evaluator | undefined;
  /** The agent's `routing.default_agent`; undefined when it has none. */
  defaultAgentOf(agent: string): string | undefined;
}

export interface Evaluator {
  /** `provider/model`, for accounts. */
  readonly model: string;
  /**
   * The evaluator's answer; null when the provider gave none. Keeps the evaluator's own time limit: past it, it rejects.
   *
   * Errors: an EvaluatorRefusal when it was refused before it could be paid for; any other rejection is the provider's.
   */
  evaluate(question: EvaluatorQuestion, signal: AbortSignal): Promise<EvaluatorAnswer | null>;
}

export interface EvaluatorQuestion {
  readonly state: Readonly<Record<string, unknown>>;
  /** The hook that asks, so that budgets and limits can name it. */
  readonly asker: HookPath;
  /** The hook's own time, at most. */
  readonly timeoutMs: number;
}

/** An answer as the provider gave it: nothing of it is checked. */
export interface EvaluatorAnswer {
  readonly type?: string | undefined;
  readonly model?: string | undefined;
  readonly choice?: string | undefined;
  readonly probabilities?: Readonly<Record<string, number>> | undefined;
  readonly probability?: number | undefined;
  readonly usage?: JudgeUsage | undefined;
  /** Null or absent: the answer has no price. */
  readonly costNanoUsd?: bigint | null;
}

/** The budget is spent, or what a call costs cannot be accounted for. A route never falls back from it. */
export class EvaluatorRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EvaluatorRefusal";
  }
}
