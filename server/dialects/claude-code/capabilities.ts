/** The powers of hooks in Claude Code. */
import { type ClientCapabilities, FAILED_TOOL, gate, observer } from "../capabilities.ts";

export const claudeCode: ClientCapabilities = {
  title: "Claude Code",
  transports: ["command", "http"],
  enforcedFrom: "2.1.330",
  evidence: "client",
  events: {
    PreToolUse: gate("pre_tool_use", { deny: "held", ask: "held", rewriteInput: "held", stop: "held" }, "context"),
    PermissionRequest: gate("permission_request", { deny: "held", rewriteInput: "denied", stop: "held" }),
    PostToolUse: gate("post_tool_use", { rewriteOutput: "held", stop: "held" }, "context"),
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
    Elicitation: observer("on_user_input"),
    StopFailure: observer("on_error"),
    PermissionDenied: observer("on_tool_approval_decision"),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "runs", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "Commands that the user types with `!` reach no hook.",
    "`--bare` and `--setting-sources user` switch off the hooks of a project: only managed settings enforce.",
    "Versions before 2.1.330 ignore `onFailure`: an HTTP hook that fails lets the call run there. Enrol them with the command.",
    "`SessionStart` does not fire over HTTP: it is enrolled as a command.",
  ],
};
