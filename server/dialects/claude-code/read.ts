/** Claude Code's payload to native input. */

import type { Payload, Reading } from "../dialect.ts";
import { readClaudeLike } from "../read-claude-like.ts";
import { eventMap } from "../read-payload.ts";

export const CLAUDE_CODE_EVENTS = eventMap({
  PreToolUse: "pre_tool_use",
  PermissionRequest: "permission_request",
  PostToolUse: "post_tool_use",
  PostToolUseFailure: "post_tool_use",
  UserPromptSubmit: "user_prompt_submit",
  SessionStart: "session_start",
  SessionEnd: "session_end",
  Stop: "stop",
  SubagentStop: "subagent_stop",
  SubagentStart: "on_agent_switch",
  PreCompact: "pre_compact",
  PostCompact: "after_compaction",
  Notification: "notification",
  Elicitation: "on_user_input",
  StopFailure: "on_error",
  PermissionDenied: "on_tool_approval_decision",
});
const CLIENT = { dialect: "claude-code", events: CLAUDE_CODE_EVENTS };

export function readClaudeCode(payload: Payload, urlEvent: string): Reading {
  return readClaudeLike(CLIENT, payload, urlEvent);
}
