/** Gemini CLI's payload to native input. */

import type { NativeInput, Payload, Reading } from "../dialect.ts";
import { type Call, eventMap, notificationOf, objectOf, promptOf, reading, textOf } from "../read-payload.ts";
import { responseText } from "../response-text.ts";
import { isObject } from "../ruling.ts";
import { gemini } from "./capabilities.ts";

const EVENTS = eventMap(gemini);

export function readGemini(payload: Payload, urlEvent: string): Reading {
  const event = textOf(payload, "hook_event_name") ?? urlEvent;
  const mapped = EVENTS.get(event) ?? null;
  const isCall = mapped === "pre_tool_use" || mapped === "post_tool_use";
  const model = textOf(objectOf(payload.llm_request), "model");
  return reading({
    dialect: "gemini",
    event,
    native: {
      session_id: textOf(payload, "session_id"),
      cwd: textOf(payload, "cwd"),
      hook_event_name: mapped,
      ...(model && { model_id: `google/${model}` }),
      ...ownFields(event, payload),
    },
    call: isCall ? callOf(payload) : undefined,
    ext: {
      transcript_path: textOf(payload, "transcript_path"),
      notification_type: textOf(payload, "notification_type"),
    },
  });
}

function callOf(payload: Payload): Call {
  const context = objectOf(payload.mcp_context);
  const server = textOf(context, "server_name");
  const tool = textOf(context, "tool_name") ?? textOf(payload, "tool_name");
  return {
    name: textOf(payload, "tool_name"),
    input: payload.tool_input,
    ...(isObject(payload.mcp_context) && tool && { mcp: { ...(server && { server }), tool } }),
  };
}

function ownFields(event: string, payload: Payload): Partial<NativeInput> {
  switch (event) {
    case "AfterTool":
      return {
        tool_response: responseText(payload.tool_response),
        tool_error: Boolean(objectOf(payload.tool_response).error),
      };
    case "BeforeAgent":
      return promptOf(payload);
    case "AfterAgent":
      return { stop_response: textOf(payload, "prompt_response"), last_user_message: textOf(payload, "prompt") };
    case "BeforeModel":
      return { messages: objectOf(payload.llm_request).messages as NativeInput["messages"] };
    case "AfterModel":
      return { stop_response: textOf(objectOf(payload.llm_response), "text") };
    case "SessionStart":
      return { source: textOf(payload, "source") };
    case "SessionEnd":
      return { reason: textOf(payload, "reason") };
    case "PreCompress":
      return { source: textOf(payload, "trigger") };
    case "Notification":
      return notificationOf(payload, textOf(payload, "notification_type"));
    default:
      return {};
  }
}
