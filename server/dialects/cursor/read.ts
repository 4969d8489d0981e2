/** Cursor's payload to native input. Each older event concerns one kind of tool and does not name the tool. */
import type { EventName } from "../../hooks/index.ts";
import type { NativeInput, Payload, Reading } from "../dialect.ts";
import { argumentsOf, type Call, eventMap, jsonOf, promptOf, reading, textOf } from "../read-payload.ts";
import { responseText } from "../response-text.ts";
import { cursor } from "./capabilities.ts";

const EVENTS = eventMap(cursor);

export function readCursor(payload: Payload, urlEvent: string): Reading {
  const event = textOf(payload, "hook_event_name") ?? urlEvent;
  const mapped = EVENTS.get(event) ?? null;
  return reading({
    dialect: "cursor",
    event,
    native: {
      session_id: textOf(payload, "session_id", "conversation_id"),
      cwd: textOf(payload, "cwd") ?? firstText(payload.workspace_roots),
      hook_event_name: mapped,
      agent_name: textOf(payload, "agent_name", "agent_type"),
      ...ownFields(mapped, event, payload),
    },
    call: callOf(mapped, event, payload),
    ext: { model: textOf(payload, "model"), transcript_path: textOf(payload, "transcript_path") },
  });
}

function callOf(mapped: EventName | null, event: string, payload: Payload): Call | undefined {
  if (mapped !== "pre_tool_use" && mapped !== "post_tool_use") return undefined;
  const { command, cwd, file_path, edits } = payload;
  switch (event) {
    case "beforeShellExecution":
      return { name: "Shell", input: { command, ...(typeof cwd === "string" && cwd !== "" && { cwd }) } };
    case "afterShellExecution":
      return { name: "Shell", input: { command } };
    case "beforeReadFile":
      return { name: "Read", input: { file_path } };
    case "beforeTabFileRead":
      return { name: "TabRead", input: { file_path } };
    case "afterFileEdit":
      return { name: "Write", input: { file_path, edits } };
    case "afterTabFileEdit":
      return { name: "TabWrite", input: { file_path, edits } };
    default:
      return namedCall(event, payload);
  }
}

function namedCall(event: string, payload: Payload): Call {
  const stated = textOf(payload, "tool_name");
  const ofMcp = event === "beforeMCPExecution" || event === "afterMCPExecution";
  const name = ofMcp && stated !== undefined && !stated.startsWith("MCP:") ? `MCP:${stated}` : stated;
  const server = textOf(payload, "mcp_server_name");
  const tool = name?.startsWith("MCP:") ? name.slice("MCP:".length) : "";
  return {
    name,
    id: textOf(payload, "tool_use_id"),
    input: argumentsOf(payload.tool_input, name),
    ...(tool !== "" && { mcp: { ...(server && { server }), tool } }),
  };
}

function ownFields(mapped: EventName | null, event: string, payload: Payload): Partial<NativeInput> {
  switch (mapped) {
    case "post_tool_use":
      return responseFields(event, payload);
    case "user_prompt_submit":
      return promptOf(payload);
    case "session_start":
      return { source: "startup" };
    case "session_end":
      return { reason: textOf(payload, "reason") };
    case "subagent_stop":
      return {
        agent_name: textOf(payload, "subagent_type"),
        parent_session_id: textOf(payload, "parent_conversation_id"),
        stop_response: textOf(payload, "summary"),
      };
    case "on_agent_switch":
      return { to_agent: textOf(payload, "subagent_type"), agent_switch_kind: "transfer_task" };
    case "pre_compact":
      return { source: textOf(payload, "trigger") };
    case "after_llm_call":
      return { stop_response: textOf(payload, "text"), model_id: textOf(payload, "model") };
    default:
      return {};
  }
}

function responseFields(event: string, payload: Payload): Partial<NativeInput> {
  switch (event) {
    case "postToolUse":
      return { tool_response: responseText(payload.tool_output) };
    case "postToolUseFailure":
      return { tool_response: responseText(payload.error_message), tool_error: true };
    case "afterShellExecution":
      return { tool_response: responseText(payload.output) };
    case "afterMCPExecution":
      return { tool_response: responseText(jsonOf(payload.result_json)) };
    default:
      return {};
  }
}

function firstText(list: unknown): string | undefined {
  return Array.isArray(list) ? list.find((one): one is string => typeof one === "string" && one !== "") : undefined;
}
