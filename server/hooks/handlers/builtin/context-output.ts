/** Builds a builtin's text output for the model: as plain context, or as instructions that the agent stores and compares. */
import type { HookOutput } from "../../contract/output.ts";

type MadeFor = "session_start" | "turn_start";

/** The output that adds `text`. It names the event that the builtin is made for, on every event. Null without text. */
export function createContextOutput(madeFor: MadeFor, text: string | undefined): HookOutput | null {
  if (text === undefined || text === "") return null;
  return { hook_specific_output: { hook_event_name: madeFor, additional_context: text } };
}

/** An instruction from a builtin: a text that the agent stores by its key and compares with the stored one. */
export interface BuiltinInstruction {
  readonly key?: string;
  readonly group?: string;
  /** A name for people. */
  readonly label?: string;
  readonly content?: string;
  /** The text for a model that has an older content. */
  readonly changed_content?: string;
  /** The text for a model with a content that no longer applies. */
  readonly removed_content?: string;
  /** True if the content no longer exists. */
  readonly removed?: true;
  /** True if the content cannot be read now. The stored content stays. */
  readonly unavailable?: true;
  /** True if the items are the whole group. Other items of the group no longer apply. */
  readonly complete_group?: true;
  /** Marks an empty group as read. */
  readonly set_marker?: true;
}

/** The output with instructions, in their order. */
export function createInstructionOutput(madeFor: MadeFor, ...instructions: readonly BuiltinInstruction[]): HookOutput {
  return { hook_specific_output: { hook_event_name: madeFor, instruction_context: [...instructions] } };
}
