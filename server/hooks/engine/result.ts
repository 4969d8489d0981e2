/** The result of a whole dispatch, with the specification's wire names. */
import type { HookOutput } from "../contract/output.ts";
import type { Instruction, Transition } from "../contract/output-items.ts";

export type Decision = "allow" | "ask" | "deny";
type OutputMessage = NonNullable<
  NonNullable<NonNullable<HookOutput["hook_specific_output"]>["updated_messages"]>[number]
>;

export interface Result {
  /** False if any hook blocked or denied, or if a failure refused. Never reset to true. */
  readonly allowed: boolean;
  /** permission_request only: a hook approved for the user. Check `allowed` first. */
  readonly permission_allowed: boolean;
  readonly message: string;
  readonly modified_input: Readonly<Record<string, unknown>> | null;
  readonly additional_context: string;
  readonly system_message: string;
  /** 0, 2 or -1: the last value in configuration order. */
  readonly exit_code: number;
  readonly stderr: string;
  readonly summary: string;
  readonly updated_messages: readonly OutputMessage[] | null;
  /** "" is a valid value: the response was cleared. */
  readonly updated_tool_response: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly decision: Decision | "";
  readonly decision_reason: string;
  /** The instructions of all hooks in configuration order; only in profiles that read them. */
  readonly instruction_context: readonly Instruction[];
  /** The display names of the hooks that failed or exited with a code other than 0, in configuration order. */
  readonly failed_hooks: readonly string[];
  /** The next agent, on a control event; null after a block. */
  readonly transition: Transition | null;
}

/** The Result of a dispatch without any output from hooks. */
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
