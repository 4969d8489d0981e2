/** The input of a hook as templates see it: a struct with Go's names, types and JSON keys. */
import type { Profile } from "../../../contract/events.ts";
import type { HookInput } from "../../../contract/input.ts";
import { bytesOf } from "../../../contract/template/bytes.ts";
import {
  boolValue,
  type Field,
  intValue,
  jsonValue,
  mapValue,
  type Struct,
  stringValue,
  type Value,
} from "./values.ts";

type Read = (json: unknown) => Value;

const text: Read = (json) => stringValue(bytesOf(typeof json === "string" ? json : ""));
const eventType: Read = (json) => stringValue(bytesOf(typeof json === "string" ? json : ""), "hooks.EventType");
const role: Read = (json) => stringValue(bytesOf(typeof json === "string" ? json : ""), "chat.MessageRole");
const whole = (json: unknown) => (typeof json === "number" && Number.isFinite(json) ? Math.trunc(json) : 0);
const int: Read = (json) => intValue(whole(json));
const int64: Read = (json) => intValue(whole(json), "int64");
const bool: Read = (json) => boolValue(json === true);
const texts: Read = (json) => ({
  kind: "slice",
  element: "string",
  items: Array.isArray(json) ? json.map(text) : null,
});
const map: Read = (json) => mapValue(isObject(json) ? json : null);
const cost: Read = (json) => ({
  kind: "pointer",
  to: "float64",
  target: typeof json === "number" ? { kind: "float", value: json } : null,
});
const usage: Read = (json) => ({
  kind: "pointer",
  to: "chat.Usage",
  target: isObject(json) ? struct("chat.Usage", USAGE, json) : null,
});
const messages: Read = (json) => ({
  kind: "slice",
  element: "chat.Message",
  items: Array.isArray(json) ? json.map((one) => struct("chat.Message", MESSAGE, one)) : null,
});
const endpoints: Read = (json) => ({
  kind: "slice",
  element: "hooks.ModelEndpoint",
  items: Array.isArray(json) ? json.map((one) => struct("hooks.ModelEndpoint", ENDPOINT, one)) : null,
});

function isObject(json: unknown): json is object {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

type Row = readonly [name: string, key: string, read: Read, when?: "always" | "2026-08"];

const USAGE: readonly Row[] = [
  ["InputTokens", "input_tokens", int64, "always"],
  ["OutputTokens", "output_tokens", int64, "always"],
  ["CachedInputTokens", "cached_input_tokens", int64, "always"],
  ["CacheWriteTokens", "cached_write_tokens", int64, "always"],
  ["ReasoningTokens", "reasoning_tokens", int64],
];
const MESSAGE: readonly Row[] = [
  ["Role", "role", role, "always"],
  ["Content", "content", text, "always"],
];
const ENDPOINT: readonly Row[] = [
  ["Provider", "provider", text],
  ["Model", "model", text],
  ["BaseURL", "base_url", text],
  ["UnloadAPI", "unload_api", text],
];
const INPUT: readonly Row[] = [
  ["SessionID", "session_id", text, "always"],
  ["Cwd", "cwd", text, "always"],
  ["HookEventName", "hook_event_name", eventType, "always"],
  ["AgentName", "agent_name", text],
  ["ModelID", "model_id", text],
  ["Iteration", "iteration", int],
  ["LastUserMessage", "last_user_message", text],
  ["ToolCategory", "tool_category", text],
  ["ToolName", "tool_name", text],
  ["ToolUseID", "tool_use_id", text],
  ["ToolInput", "tool_input", map],
  ["ToolReadOnly", "tool_read_only", bool, "2026-08"],
  ["SafetyPolicy", "safety_policy", text],
  ["SafetyLabel", "safety_label", text, "2026-08"],
  ["ToolResponse", "tool_response", jsonValue],
  ["ToolError", "tool_error", bool],
  ["Messages", "messages", messages],
  ["Source", "source", text],
  ["Reason", "reason", text],
  ["StopResponse", "stop_response", text],
  ["Prompt", "prompt", text],
  ["SteeringMessages", "steering_messages", texts],
  ["ParentSessionID", "parent_session_id", text],
  ["NotificationLevel", "notification_level", text],
  ["NotificationMessage", "notification_message", text],
  ["FromAgent", "from_agent", text],
  ["ToAgent", "to_agent", text],
  ["AgentSwitchKind", "agent_switch_kind", text],
  ["FromAgentModels", "from_agent_models", endpoints],
  ["PreviousMaxIterations", "previous_max_iterations", int],
  ["NewMaxIterations", "new_max_iterations", int],
  ["ApprovalDecision", "approval_decision", text],
  ["ApprovalSource", "approval_source", text],
  ["Usage", "usage", usage],
  ["Cost", "cost", cost],
  ["InputTokens", "input_tokens", int64],
  ["OutputTokens", "output_tokens", int64],
  ["ContextLimit", "context_limit", int64],
  ["CompactionReason", "compaction_reason", text],
  ["Summary", "summary", text],
  ["WorktreePath", "worktree_path", text],
  ["WorktreeBranch", "worktree_branch", text],
  ["WorktreeSourceDir", "worktree_source_dir", text],
];

export const INPUT_TYPE = "hooks.Input";

/** The data of a template. Fields are converted when somebody looks at them, once. */
export function templateData(input: HookInput, profile: Profile): Value {
  const rows = INPUT.filter(([, , , when]) => when !== "2026-08" || profile === "2026-08");
  return { kind: "pointer", to: INPUT_TYPE, target: struct(INPUT_TYPE, rows, input) };
}

function struct(type: string, rows: readonly Row[], json: unknown): Struct {
  const source = isObject(json) ? new Map<string, unknown>(Object.entries(json)) : new Map<string, unknown>();
  const fields = rows.map(([name, key, read, when]): Field => {
    let known: Value | undefined;
    const value = () => {
      known ??= read(source.get(key));
      return known;
    };
    return { name, key, value, ...(when === "always" && { always: true as const }) };
  });
  return { kind: "struct", type, fields };
}
