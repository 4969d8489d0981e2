/** `redact_secrets`: removes secrets from tool arguments, model messages and tool results. */
import type { HookInput } from "../../contract/input.ts";
import type { HookOutput, HookSpecificOutput } from "../../contract/output.ts";
import type { Builtin } from "./kind.ts";
import { redactMessage } from "./secrets/messages.ts";
import { redactValue } from "./secrets/redact.ts";

export const redactSecrets: Builtin = {
  name: "redact_secrets",
  patchesArguments: true,
  run({ event, input, log }) {
    switch (event) {
      case "pre_tool_use":
      case "tool_input_transform":
        return fromArguments(event, input);
      case "before_llm_call":
        return fromMessages(input);
      case "tool_response_transform":
        return fromResponse(input);
      default:
        log?.(
          `nothing to redact on ${event}: use it on pre_tool_use, tool_input_transform, before_llm_call or tool_response_transform`,
        );
        return null;
    }
  },
};

/** Only the changed arguments, each whole. The executor merges them over the others. */
function fromArguments(
  event: "pre_tool_use" | "tool_input_transform",
  { tool_input, tool_name }: HookInput,
): HookOutput | null {
  const changed = Object.entries(tool_input ?? {}).flatMap(([key, value]) => {
    const safe = redactValue(value);
    return safe === value ? [] : [[key, safe] as const];
  });
  if (changed.length === 0) return null;
  const tool = JSON.stringify(tool_name ?? "");
  return {
    system_message: `redact_secrets: redacted secret material from arguments of tool ${tool}`,
    hook_specific_output: { hook_event_name: event, updated_input: Object.fromEntries(changed) },
  };
}

function fromMessages({ messages }: HookInput): HookOutput | null {
  if (!messages) return null;
  const safe = messages.map(redactMessage);
  if (safe.every((message, index) => message === messages[index])) return null;
  // Holds: a message keeps its field types, and an agent accepts the content types that it sends.
  const updated_messages = safe as NonNullable<HookSpecificOutput["updated_messages"]>;
  return { hook_specific_output: { hook_event_name: "before_llm_call", updated_messages } };
}

function fromResponse({ tool_response }: HookInput): HookOutput | null {
  const safe = typeof tool_response === "string" ? redactValue(tool_response) : tool_response;
  if (typeof safe !== "string" || safe === tool_response) return null;
  return { hook_specific_output: { hook_event_name: "tool_response_transform", updated_tool_response: safe } };
}
