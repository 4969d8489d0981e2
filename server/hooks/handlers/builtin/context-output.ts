/** The way a builtin hands text to the model. */
import type { HookOutput } from "../../contract/output.ts";

/** The output that adds `text`, naming the event the builtin is made for wherever it is attached; null for no text. */
export function createContextOutput(madeFor: "session_start" | "turn_start", text: string): HookOutput | null {
  if (text === "") return null;
  return { hook_specific_output: { hook_event_name: madeFor, additional_context: text } };
}
