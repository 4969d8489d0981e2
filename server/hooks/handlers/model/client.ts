/** The port of a model hook: asks a model one question. Independent of the provider. */
import type { HookPath } from "../../engine/ports.ts";
import type { JudgeFacts } from "../../judge-refusal.ts";

export interface ModelClient {
  /**
   * The model's answer.
   *
   * Errors: a JudgeRefusal carries the reason for a missing answer; any other rejection counts as `provider_error`. The signal is
   * the deadline: the caller stops waiting then.
   */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
}

export interface ModelQuestion {
  /** The model as the hook names it: `openai/gpt-4o-mini`. */
  readonly model: string;
  readonly system: string;
  readonly user: string;
  /** The random mark around fenced values in `user`. */
  readonly boundary?: string;
  /** The judge prompt and revision in the hook's label: `shell-risk@3`. */
  readonly label?: string;
  /** The schema of the reply, for providers that can enforce one. */
  readonly schema?: ReplyShape;
  /** The asking hook, for budgets and limits. */
  readonly asker: HookPath;
  /** The upper limit for the question: the rest of the hook's own time. */
  readonly timeoutMs: number;
}

export interface ReplyShape {
  readonly name: string;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly strict: boolean;
}

export interface ModelAnswer extends JudgeFacts {
  readonly text: string;
  /** Called when the hook has read the reply as a decision. */
  keep?(isAllow: boolean): void;
}
