/** The powers of hooks in Codex. */
import { type ClientCapabilities, gate, observer, REPLACEABLE_RESULT } from "../capabilities.ts";

export const codex: ClientCapabilities = {
  title: "Codex",
  transports: ["command"],
  enforcedFrom: "0.169.0",
  evidence: "client",
  events: {
    PreToolUse: gate("pre_tool_use", { deny: "held", ask: "denied", rewriteInput: "held", stop: "denied" }, "context"),
    PermissionRequest: gate("permission_request", { deny: "held", rewriteInput: "denied", stop: "denied" }),
    PostToolUse: REPLACEABLE_RESULT,
    UserPromptSubmit: gate("user_prompt_submit", { deny: "held" }, "context"),
    SessionStart: observer("session_start", "context"),
    SessionEnd: observer("session_end"),
    Stop: observer("stop"),
    SubagentStart: observer("on_agent_switch", "context"),
    SubagentStop: observer("subagent_stop"),
    PreCompact: gate("pre_compact", { deny: "held" }),
    PostCompact: observer("after_compaction"),
    Interrupt: observer("turn_end"),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "runs", enrolled: "blocked" },
  onUnknownKey: "answer ignored",
  blindSpots: [
    "`write_stdin` reaches no hook: a shell or interpreter that an allowed command opened can be fed anything. Deny bare interpreters.",
    "Web search and `update_plan` reach no hook.",
    "A failed command looks like a good one: results carry no failure flag.",
    "A hook outside the managed configuration does not run until a person trusted its exact text.",
    "`-c features.hooks=false` switches even managed hooks off unless requirements.toml sets `hooks = true` under `[features]`.",
    "`PermissionRequest` does not fire under `codex exec`.",
  ],
};
