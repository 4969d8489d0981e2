/** Codex's payload to native input. */

import type { Payload, Reading } from "../dialect.ts";
import { readClaudeLike } from "../read-claude-like.ts";
import { eventMap } from "../read-payload.ts";

const CLIENT = {
  dialect: "codex",
  events: eventMap({
    PreToolUse: "pre_tool_use",
    PermissionRequest: "permission_request",
    PostToolUse: "post_tool_use",
    UserPromptSubmit: "user_prompt_submit",
    SessionStart: "session_start",
    SessionEnd: "session_end",
    Stop: "stop",
    SubagentStop: "subagent_stop",
    SubagentStart: "on_agent_switch",
    PreCompact: "pre_compact",
    PostCompact: "after_compaction",
    Interrupt: "turn_end",
  }),
};

export function readCodex(payload: Payload, urlEvent: string): Reading {
  return readClaudeLike(CLIENT, payload, urlEvent);
}
