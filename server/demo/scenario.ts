/** A scripted agent as data: its identity, its prompts and its actions. play.ts turns it into hook events. */

/** Dollars per million tokens; `free`: priced at zero; `unpriced`: the price is unknown. */
export type Price =
  | { readonly input: number; readonly output: number; readonly cachedInput: number; readonly cachedWrite: number }
  | "free"
  | "unpriced";

export interface Model {
  /** provider/model */
  readonly id: string;
  readonly price: Price;
  readonly contextLimit: number;
}

/** The source of a call's approval when no policy of ours spoke. */
export type Approval =
  | "yolo"
  | "readonly_hint"
  | "team_permissions_allow"
  | "team_permissions_deny"
  | "session_permissions_allow"
  | "user_approved"
  | "user_approved_tool"
  | "user_rejected";

export interface ToolStep {
  readonly does: "tool";
  /** The model's words before the call. */
  readonly says: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly approval: Approval;
  /**
   * The decision of the demo's policies on it. A test compares it with the policies' real verdict. The recorded
   * history, which no policy checked, uses it.
   */
  readonly gate?: "deny" | "ask";
  readonly result: string;
  readonly fails?: boolean;
  /** Tokens that the result adds to the context. */
  readonly tokens: number;
}

export interface CompactStep {
  readonly does: "compact";
  readonly reason: "threshold" | "overflow" | "manual";
  readonly summary: string;
  /** As `gate`: the policies stop this one. */
  readonly isVetoed?: boolean;
}

/** A sub-agent works on a task in a session of its own. */
export interface DelegateStep {
  readonly does: "delegate";
  readonly agent: string;
  readonly model: Model;
  readonly task: string;
  readonly steps: readonly ToolStep[];
  readonly answer: string;
}

/** The user writes while the agent works. */
export interface SteerStep {
  readonly does: "steer";
  readonly messages: readonly string[];
}

/** The model call fails once and is tried again. */
export interface FailStep {
  readonly does: "fail";
  readonly message: string;
}

export type Step = ToolStep | CompactStep | DelegateStep | SteerStep | FailStep;

/** One session: a prompt, the work, an answer. */
export interface Run {
  readonly prompt: string;
  /** Tokens in the context before the first call: instructions, tools, the prompt. */
  readonly contextTokens: number;
  readonly steps: readonly Step[];
  readonly answer: string;
}

/** The clients of scripted agents that are not docker-agent. */
export type DemoClient = "claude-code";

export interface Scenario {
  /** The enrolled agent's name, which marks it as a demo. */
  readonly agent: string;
  /** The client that it runs in; docker-agent when absent. */
  readonly client?: DemoClient;
  readonly cwd: string;
  readonly model: Model;
  readonly runs: readonly Run[];
  /** Between the starts of two sessions in the history. */
  readonly historyEveryMinutes: number;
}

/** A tool step with what most of them share. */
export function tool(
  name: string,
  input: Readonly<Record<string, unknown>>,
  says: string,
  result: string,
  more: Partial<Pick<ToolStep, "approval" | "gate" | "fails" | "tokens">> = {},
): ToolStep {
  return { does: "tool", tool: name, input, says, result, approval: "yolo", tokens: 400, ...more };
}
