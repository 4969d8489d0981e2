/** The powers of hooks in Qwen Code. */
import { type ClientCapabilities, FAILED_TOOL, gate, observer, REPLACEABLE_RESULT } from "../capabilities.ts";

export const qwen: ClientCapabilities = {
  title: "Qwen Code",
  transports: ["command", "http"],
  enforcedFrom: "0.24.4",
  evidence: "client",
  events: {
    PreToolUse: gate("pre_tool_use", { deny: "held", ask: "held", rewriteInput: "denied", stop: "held" }, "context"),
    PermissionRequest: gate("permission_request", { deny: "held", rewriteInput: "denied", stop: "held" }),
    PostToolUse: REPLACEABLE_RESULT,
    PostToolUseFailure: FAILED_TOOL,
    UserPromptSubmit: gate("user_prompt_submit", { deny: "held" }, "context"),
    SessionStart: observer("session_start", "context"),
    SessionEnd: observer("session_end"),
    Stop: observer("stop"),
    SubagentStart: observer("on_agent_switch"),
    SubagentStop: observer("subagent_stop"),
    PreCompact: gate("pre_compact", { deny: "held" }),
    PostCompact: observer("after_compaction"),
    Notification: observer("notification"),
    StopFailure: observer("on_error"),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "runs", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "Every failure but exit code 2 with words on stderr lets the call run, also of an HTTP hook: enrol with the command.",
    "A prompt event with an empty prompt precedes every model call that follows a tool; it is ignored.",
  ],
};
