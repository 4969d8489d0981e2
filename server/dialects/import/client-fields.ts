/** The fields of each client's payloads: those with another name in a policy's input, and those that it lacks. */
import type { EventName } from "@quarterdeck/hooks/contract/events";
import type { ClientFields } from "./client-input.ts";

/** The fields of the payload of one event. */
export type FieldsOf = (event: string, native: EventName) => ClientFields;

type Names = Readonly<Record<string, string>>;

const same = (...names: readonly string[]): Names => Object.fromEntries(names.map((name) => [name, name]));

/** Claude Code, and the clients that use its names. */
const CLAUDE_NAMES: Partial<Record<EventName, Names>> = {
  pre_compact: { source: "trigger" },
  after_compaction: { compaction_reason: "trigger", summary: "compact_summary" },
  notification: { notification_message: "message" },
  stop: { stop_response: "last_assistant_message" },
  subagent_stop: { stop_response: "last_assistant_message" },
  on_agent_switch: { to_agent: "agent_type" },
  on_error: { notification_message: "last_assistant_message" },
};
const CLAUDE_RAISED = same("permission_mode", "agent_id", "turn_id", "model", "transcript_path", "notification_type");

const isFailure = (event: string): boolean => event === "PostToolUseFailure";

export const claudeFields: FieldsOf = (event, native) => ({
  renamed: { agent_name: "agent_type", ...CLAUDE_NAMES[native], ...(isFailure(event) && { tool_response: "error" }) },
  raised: CLAUDE_RAISED,
  response: isFailure(event) ? "text" : "claude",
});

export const codexFields: FieldsOf = (_event, native) => ({
  renamed: { agent_name: "agent_type", ...CLAUDE_NAMES[native] },
  raised: CLAUDE_RAISED,
  response: "codex",
});

/** Copilot's events in camelCase have payloads in camelCase. */
export const copilotFields: FieldsOf = (event, native) =>
  /^[a-z]/.test(event)
    ? {
        renamed: {
          session_id: "sessionId",
          tool_name: "toolName",
          tool_input: "toolArgs",
          agent_name: "agentName",
          parent_session_id: "parentAgentId",
          ...CLAUDE_NAMES[native],
          ...(native === "on_agent_switch" && { to_agent: "agentName" }),
          ...(native === "subagent_stop" && { stop_response: "response" }),
        },
        repeated: { agent_name: "agentType", to_agent: "agentType" },
        raised: {
          agent_id: "agentId",
          transcript_path: "transcriptPath",
          notification_type: "notificationType",
        },
        valued: { source: { startup: "new" } },
        response: "text",
      }
    : {
        renamed: {
          agent_name: "agent_type",
          parent_session_id: "parent_agent_id",
          tool_response: isFailure(event) ? "error" : "tool_result",
          ...CLAUDE_NAMES[native],
        },
        raised: same("agent_id", "transcript_path", "notification_type"),
        valued: { source: { startup: "new" } },
        response: isFailure(event) ? "text" : "copilot",
      };

const CURSOR_NAMES: Partial<Record<EventName, Names>> = {
  pre_compact: { source: "trigger" },
  on_agent_switch: { to_agent: "subagent_type" },
  subagent_stop: {
    agent_name: "subagent_type",
    parent_session_id: "parent_conversation_id",
    stop_response: "summary",
  },
};

export const cursorFields: FieldsOf = (_event, native) => ({
  renamed: CURSOR_NAMES[native] ?? {},
  raised: same("model", "transcript_path"),
  repeated: { session_id: "conversation_id" },
  listed: { cwd: "workspace_roots" },
  response: "text",
});

/** Fields that a policy's input lacks, for every event and for single events. */
export interface MissingFields {
  readonly always: readonly string[];
  readonly ofEvent: Readonly<Record<string, readonly string[]>>;
}

const STOP = ["stop_hook_active", "background_tasks", "session_crons"];

export const CLAUDE_MISSING: MissingFields = {
  always: ["prompt_id", "effort"],
  ofEvent: {
    PreToolUse: ["mcp_server"],
    PostToolUse: ["mcp_server", "duration_ms"],
    PostToolUseFailure: ["duration_ms", "is_interrupt"],
    Stop: STOP,
    SubagentStop: [...STOP, "agent_transcript_path"],
    StopFailure: ["error", "error_details"],
    SessionStart: [
      "seconds_since_last_response",
      "context_tokens",
      "prompt_cache_likely_expired",
      "estimated_cache_write_usd",
    ],
    PreCompact: ["custom_instructions"],
    Elicitation: ["mcp_server_name", "message", "mode", "requested_schema"],
    PermissionDenied: ["reason"],
  },
};

export const CODEX_MISSING: MissingFields = {
  always: [],
  ofEvent: { Stop: ["stop_hook_active"], SubagentStop: ["stop_hook_active", "agent_transcript_path"] },
};

export const COPILOT_MISSING: MissingFields = {
  always: ["timestamp"],
  ofEvent: {
    Stop: ["stop_reason", "stop_hook_active"],
    agentStop: ["stopReason", "stop_hook_active"],
    subagentStop: ["stopReason", "stop_hook_active"],
    sessionStart: ["initialPrompt"],
    SessionStart: ["initial_prompt"],
    preCompact: ["customInstructions"],
    errorOccurred: ["error", "errorContext", "recoverable"],
  },
};

export const CURSOR_MISSING: MissingFields = {
  always: ["generation_id", "cursor_version", "user_email"],
  ofEvent: {
    beforeShellExecution: ["sandbox"],
    beforeSubmitPrompt: ["attachments", "composer_mode"],
    sessionStart: ["is_background_agent"],
    sessionEnd: ["is_background_agent", "duration_ms", "final_status"],
    stop: ["status", "loop_count", "input_tokens", "output_tokens"],
    subagentStart: [
      "subagent_id",
      "task",
      "parent_conversation_id",
      "tool_call_id",
      "subagent_model",
      "is_parallel_worker",
      "git_branch",
    ],
    subagentStop: [
      "subagent_id",
      "status",
      "task",
      "duration_ms",
      "message_count",
      "tool_call_count",
      "modified_files",
      "loop_count",
    ],
    preCompact: [
      "context_usage_percent",
      "context_tokens",
      "context_window_size",
      "message_count",
      "messages_to_compact",
      "is_first_compaction",
    ],
  },
};

/** The fields that a script for the event does not get. */
export function missingOf({ always, ofEvent }: MissingFields, event: string): readonly string[] {
  return [...always, ...(Object.hasOwn(ofEvent, event) ? (ofEvent[event] ?? []) : [])];
}
