/** Qwen Code's payload to native input: Claude Code's events, with another field for the call's id. */
import { CLAUDE_CODE_EVENTS } from "../claude-code/read.ts";
import type { Payload, Reading } from "../dialect.ts";
import { claudeLikeReader } from "../read-claude-like.ts";

const readCall = claudeLikeReader({ dialect: "qwen", events: CLAUDE_CODE_EVENTS, callId: "tool_call_id" });

/** Qwen Code sends an empty prompt before every model call that follows a tool. The user wrote no prompt, so it is no event. */
export function readQwen(payload: Payload, urlEvent: string): Reading {
  const read = readCall(payload, urlEvent);
  const isNobodys = read.native.hook_event_name === "user_prompt_submit" && payload.prompt === "";
  return isNobodys ? { ...read, native: { ...read.native, hook_event_name: null } } : read;
}
