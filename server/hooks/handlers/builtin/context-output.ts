/** The ways a builtin hands text to the model: as plain context, and as instructions that are kept and compared. */
import type { HookOutput } from "../../contract/output.ts";

type MadeFor = "session_start" | "turn_start";

/** The output that adds `text`, naming the event the builtin is made for wherever it is attached; null for no text. */
export function createContextOutput(madeFor: MadeFor, text: string | undefined): HookOutput | null {
  if (text === undefined || text === "") return null;
  return { hook_specific_output: { hook_event_name: madeFor, additional_context: text } };
}

/** An instruction as builtins write it: a text that the agent keeps by its key and compares with the one it has. */
export interface BuiltinInstruction {
  readonly key?: string;
  readonly group?: string;
  /** A name for people. */
  readonly label?: string;
  readonly content?: string;
  /** The text for a model that knows an older content. */
  readonly changed_content?: string;
  /** The text for a model that knows a content which no longer holds. */
  readonly removed_content?: string;
  /** There is no content any more. */
  readonly removed?: true;
  /** The content cannot be read now; the one already known stays. */
  readonly unavailable?: true;
  /** The items are the whole group: others of it no longer hold. */
  readonly complete_group?: true;
  /** Marks a group without contents as looked up. */
  readonly set_marker?: true;
}

/** The output with instructions, in their order. */
export function createInstructionOutput(madeFor: MadeFor, ...instructions: readonly BuiltinInstruction[]): HookOutput {
  return { hook_specific_output: { hook_event_name: madeFor, instruction_context: [...instructions] } };
}
