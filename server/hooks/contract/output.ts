/**
 * The output of a hook: the JSON object on its stdout, and the server's answer to an agent. This schema tolerates unknown keys;
 * the engine checks them for hooks with `strict_output`.
 */
import { z } from "zod";

const text = z.string().nullish();

/** A replacement message from a hook. Its other fields are the agent's own. */
const outputMessage = z.looseObject({ role: text, content: text });

export const hookSpecificOutput = z.looseObject({
  hook_event_name: text.describe("The event this answers; informational."),
  permission_decision: text.describe("allow, ask or deny."),
  permission_decision_reason: text.describe("Why, shown to the person who is asked or told."),
  updated_input: z.record(z.string(), z.unknown()).nullish().describe("Other arguments for the tool."),
  updated_tool_response: text.describe("Another text in place of the tool's answer; empty clears it."),
  updated_messages: z.array(outputMessage).nullish().describe("The messages to send to the model instead."),
  additional_context: text.describe("Text for the model."),
  instruction_context: z.array(z.unknown()).nullish(),
  transition: z.unknown().optional().describe("Since profile 2026-11, on control events: the agent that works on."),
  summary: text.describe("The compaction summary to use as it is."),
  metadata: z.record(z.string(), z.string().nullable()).nullish().describe("Facts for the approval prompt."),
});
export type HookSpecificOutput = z.infer<typeof hookSpecificOutput>;

export const hookOutput = z
  .looseObject({
    continue: z.boolean().nullish().describe("false blocks."),
    stop_reason: text.describe("The message when continue is false."),
    suppress_output: z.boolean().nullish().describe("Accepted, without effect."),
    system_message: text.describe("Shown to the user."),
    decision: text.describe("block, or nothing."),
    reason: text.describe("The message when decision is block."),
    hook_specific_output: hookSpecificOutput.nullish(),
  })
  .meta({ id: "HookOutput", description: "What a hook answers. An empty object says nothing." });
export type HookOutput = z.infer<typeof hookOutput>;
