/** The powers of hooks in GitHub Copilot CLI, in both spellings of its events. */
import { type ClientCapabilities, FAILED_TOOL, gate, observer, REPLACEABLE_RESULT } from "../capabilities.ts";

const toolUse = gate("pre_tool_use", { deny: "held", ask: "held", rewriteInput: "held", stop: "denied" }, "context");
const permissionRequest = gate("permission_request", { deny: "held", rewriteInput: "denied", stop: "denied" });
const prompt = gate("user_prompt_submit", { deny: "held" }, "context");
const sessionStart = observer("session_start", "context");

export const copilot: ClientCapabilities = {
  title: "GitHub Copilot CLI",
  transports: ["command", "http"],
  enforcedFrom: "1.0.102",
  evidence: "client",
  events: {
    PreToolUse: toolUse,
    preToolUse: toolUse,
    PermissionRequest: permissionRequest,
    permissionRequest,
    PostToolUse: REPLACEABLE_RESULT,
    postToolUse: REPLACEABLE_RESULT,
    PostToolUseFailure: FAILED_TOOL,
    postToolUseFailure: FAILED_TOOL,
    UserPromptSubmit: prompt,
    userPromptSubmitted: prompt,
    SessionStart: sessionStart,
    sessionStart,
    sessionEnd: observer("session_end"),
    Stop: observer("stop"),
    agentStop: observer("stop"),
    subagentStart: observer("on_agent_switch"),
    subagentStop: observer("subagent_stop"),
    preCompact: gate("pre_compact", { deny: { gap: "The compaction continues." } }),
    notification: observer("notification"),
    errorOccurred: observer("on_error"),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "blocked", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "Hooks of a repository run only in a trusted folder.",
    "HTTP hooks that gate must have an https address; others are skipped in silence.",
    "A question without a person is denied.",
    "Calls carry no id: a call and its result are joined by session, tool and arguments.",
    "A project with files for Claude Code and for Copilot fires both: one call arrives twice.",
  ],
};
