/**
 * Copilot's payload to native input, in both spellings, and the payload of VS Code's own harness, which has Claude's fields and
 * Copilot's names.
 */

import type { NativeInput, Payload, Reading } from "../dialect.ts";
import {
  argumentsOf,
  type Call,
  type EventMap,
  eventMap,
  notificationOf,
  objectOf,
  promptOf,
  reading,
  textOf,
} from "../read-payload.ts";
import { responseText } from "../response-text.ts";
import { copilot } from "./capabilities.ts";

/** Events that payloads also name in PascalCase. */
const TWINS = ["sessionEnd", "subagentStop", "subagentStart", "preCompact", "notification", "errorOccurred"];
const LISTED = eventMap(copilot);
const EVENTS: EventMap = new Map([
  ...LISTED,
  ...TWINS.map((name) => [name.charAt(0).toUpperCase() + name.slice(1), LISTED.get(name) ?? null] as const),
]);
const OF_A_CALL = new Set(["pre_tool_use", "permission_request", "post_tool_use"]);

export function readCopilot(payload: Payload, urlEvent: string): Reading {
  // In camelCase the payload names its event in another spelling, or not at all.
  const names = "sessionId" in payload ? ["hookName", "hookEventName"] : ["hook_event_name"];
  const event = textOf(payload, ...names) ?? urlEvent;
  const mapped = EVENTS.get(event) ?? null;
  const agent = textOf(payload, "agent_name", "agentName", "agent_type", "agentType");
  return reading({
    dialect: "copilot",
    event,
    native: {
      session_id: textOf(payload, "session_id", "sessionId"),
      cwd: textOf(payload, "cwd"),
      hook_event_name: mapped,
      parent_session_id: textOf(payload, "parent_agent_id", "parentAgentId"),
      ...(mapped !== "on_agent_switch" && { agent_name: agent }),
      ...ownFields(mapped, event, payload, agent),
    },
    call: OF_A_CALL.has(mapped ?? "") ? callOf(payload) : undefined,
    ext: {
      agent_id: textOf(payload, "agent_id", "agentId"),
      transcript_path: textOf(payload, "transcript_path", "transcriptPath"),
      notification_type: textOf(payload, "notification_type", "notificationType"),
    },
  });
}

/** Only the permission event sends `server/tool`. No other tool has a slash in its name. */
function callOf(payload: Payload): Call {
  const name = textOf(payload, "tool_name", "toolName");
  const slash = name?.indexOf("/") ?? -1;
  const isMcp = name !== undefined && slash > 0 && slash < name.length - 1;
  return {
    name,
    id: textOf(payload, "tool_use_id"),
    input: argumentsOf(payload.tool_input ?? payload.toolInput ?? payload.toolArgs, name),
    ...(isMcp && { mcp: { server: name.slice(0, slash), tool: name.slice(slash + 1) } }),
  };
}

function ownFields(
  mapped: string | null,
  event: string,
  payload: Payload,
  agent: string | undefined,
): Partial<NativeInput> {
  switch (mapped) {
    case "post_tool_use":
      if (event.endsWith("Failure")) return { tool_response: errorText(payload.error), tool_error: true };
      return { tool_response: responseText(payload.tool_result ?? payload.toolResult ?? payload.tool_response) };
    case "user_prompt_submit":
      return promptOf(payload);
    case "session_start": {
      const source = textOf(payload, "source");
      return { source: source === "new" ? "startup" : source };
    }
    case "session_end":
      return { reason: textOf(payload, "reason") };
    case "stop":
    case "subagent_stop":
      return { stop_response: textOf(payload, "last_assistant_message", "lastAssistantMessage", "response") };
    case "on_agent_switch":
      return { to_agent: agent, agent_switch_kind: "transfer_task" };
    case "pre_compact":
      return { source: textOf(payload, "trigger") };
    case "notification":
      return notificationOf(payload, textOf(payload, "notification_type", "notificationType"));
    case "on_error":
      return { notification_level: "error", notification_message: errorText(payload.error) };
    default:
      return {};
  }
}

function errorText(error: unknown): string | undefined {
  return textOf(objectOf(error), "message") ?? responseText(error);
}
