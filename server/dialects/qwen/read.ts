/** Qwen Code's payload to native input: Claude Code's events, with its own id of a call. */
import { CLAUDE_CODE_EVENTS } from "../claude-code/read.ts";
import type { Payload, Reading } from "../dialect.ts";
import { claudeLikeReader } from "../read-claude-like.ts";

const readCall = claudeLikeReader({ dialect: "qwen", events: CLAUDE_CODE_EVENTS, callId: "tool_call_id" });

/** An empty prompt comes before every model call that follows a tool: nobody said anything. */
export function readQwen(payload: Payload, urlEvent: string): Reading {
  const read = readCall(payload, urlEvent);
  const isNobodys = read.native.hook_event_name === "user_prompt_submit" && payload.prompt === "";
  return isNobodys ? { ...read, native: { ...read.native, hook_event_name: null } } : read;
}
