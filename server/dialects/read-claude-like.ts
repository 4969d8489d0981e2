/** The reader for clients with Claude Code's dialect: the same fields under the same names. */

import type { NativeInput, Payload, Reading } from "./dialect.ts";
import { argumentsOf, type Call, type EventMap, notificationOf, promptOf, reading, textOf } from "./read-payload.ts";
import { responseText } from "./response-text.ts";

export interface ClaudeLike {
  readonly dialect: string;
  readonly events: EventMap;
  /** The field with the id of the call. */
  readonly callId?: string;
}

const OF_A_CALL = new Set(["pre_tool_use", "permission_request", "post_tool_use", "on_tool_approval_decision"]);

export const claudeLikeReader = (client: ClaudeLike) => (payload: Payload, urlEvent: string) =>
  readClaudeLike(client, payload, urlEvent);

function readClaudeLike(client: ClaudeLike, payload: Payload, urlEvent: string): Reading {
  const event = textOf(payload, "hook_event_name") ?? urlEvent;
  const mapped = client.events.get(event) ?? null;
  const own = ownFields(event, mapped, payload);
  const call: Call | undefined = OF_A_CALL.has(mapped ?? "")
    ? {
        name: textOf(payload, "tool_name"),
        id: textOf(payload, client.callId ?? "tool_use_id"),
        input: argumentsOf(payload.tool_input, textOf(payload, "tool_name")),
      }
    : undefined;
  const agent = textOf(payload, "agent_name", "agent_type");
  return reading({
    dialect: client.dialect,
    event,
    native: {
      session_id: textOf(payload, "session_id"),
      cwd: textOf(payload, "cwd"),
      hook_event_name: mapped,
      ...(mapped !== "on_agent_switch" && { agent_name: agent }),
      ...own,
    },
    call,
    ext: {
      permission_mode: textOf(payload, "permission_mode"),
      agent_id: textOf(payload, "agent_id"),
      turn_id: textOf(payload, "turn_id"),
      model: textOf(payload, "model"),
      transcript_path: textOf(payload, "transcript_path"),
      notification_type: textOf(payload, "notification_type"),
    },
  });
}

type OwnFields = (payload: Payload, event: string) => Partial<NativeInput>;
const answered: OwnFields = (payload) => ({ stop_response: textOf(payload, "last_assistant_message") });

const OWN: ReadonlyMap<string, OwnFields> = new Map<string, OwnFields>([
  ["post_tool_use", responseFields],
  ["user_prompt_submit", promptOf],
  ["session_start", (payload) => ({ source: textOf(payload, "source") })],
  ["session_end", (payload) => ({ reason: textOf(payload, "reason") })],
  ["stop", answered],
  ["subagent_stop", answered],
  [
    "on_agent_switch",
    (payload) => ({ to_agent: textOf(payload, "agent_name", "agent_type"), agent_switch_kind: "transfer_task" }),
  ],
  ["pre_compact", (payload) => ({ source: textOf(payload, "trigger") })],
  [
    "after_compaction",
    (payload) => ({ summary: textOf(payload, "compact_summary"), compaction_reason: textOf(payload, "trigger") }),
  ],
  ["notification", (payload) => notificationOf(payload, textOf(payload, "notification_type"))],
  [
    "on_error",
    (payload) => ({
      notification_level: "error",
      notification_message: textOf(payload, "last_assistant_message", "error_details", "error"),
    }),
  ],
  ["on_tool_approval_decision", () => ({ approval_decision: "deny", approval_source: "client_permission_denied" })],
  ["turn_end", () => ({ reason: "canceled" })],
]);

function ownFields(event: string, mapped: string | null, payload: Payload): Partial<NativeInput> {
  return OWN.get(mapped ?? "")?.(payload, event) ?? {};
}

function responseFields(payload: Payload, event: string): Partial<NativeInput> {
  if (event !== "PostToolUseFailure") return { tool_response: responseText(payload.tool_response) };
  return { tool_response: responseText(payload.error), tool_error: true };
}
