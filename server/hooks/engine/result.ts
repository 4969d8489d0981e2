/** The conclusion of a whole dispatch, in the wire spelling of the specification. */
import type { HookOutput } from "../contract/output.ts";
import type { Instruction, Transition } from "../contract/output-items.ts";

export type Decision = "allow" | "ask" | "deny";
type OutputMessage = NonNullable<
  NonNullable<NonNullable<HookOutput["hook_specific_output"]>["updated_messages"]>[number]
>;

export interface Result {
  /** False when any hook blocked, denied or failed where failing refuses. Nothing sets it back. */
  readonly allowed: boolean;
  /** permission_request only: a hook answered yes in the user's place. Ask `allowed` first. */
  readonly permission_allowed: boolean;
  readonly message: string;
  readonly modified_input: Readonly<Record<string, unknown>> | null;
  readonly additional_context: string;
  readonly system_message: string;
  /** 0, 2 or -1: the last one assigned in configuration order. */
  readonly exit_code: number;
  readonly stderr: string;
  readonly summary: string;
  readonly updated_messages: readonly OutputMessage[] | null;
  /** "" is a value: the response was cleared. */
  readonly updated_tool_response: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly decision: Decision | "";
  readonly decision_reason: string;
  /** The instructions of all hooks in configuration order; only where a profile reads them. */
  readonly instruction_context: readonly Instruction[];
  /** The display names of the hooks that failed or exited with a code other than 0, in configuration order. */
  readonly failed_hooks: readonly string[];
  /** The agent that works on, on a control event; null after anything that blocks. */
  readonly transition: Transition | null;
}

/** The Result of a dispatch that nobody had anything to say about. */
export const NEUTRAL: Result = Object.freeze({
  allowed: true,
  permission_allowed: false,
  message: "",
  modified_input: null,
  additional_context: "",
  system_message: "",
  exit_code: 0,
  stderr: "",
  summary: "",
  updated_messages: null,
  updated_tool_response: null,
  metadata: null,
  decision: "",
  decision_reason: "",
  instruction_context: Object.freeze([]),
  failed_hooks: Object.freeze([]),
  transition: null,
});
