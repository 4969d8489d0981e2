/** The powers of hooks in Cursor. */
import { type ClientCapabilities, gate, observer } from "../capabilities.ts";

const CONTINUES = { gap: "The run continues." };
const EXECUTION = gate("pre_tool_use", { deny: "held", ask: "held", rewriteInput: "denied", stop: "denied" });
const READ = gate("pre_tool_use", { deny: "held", ask: "denied", rewriteInput: "denied", stop: "denied" });
const AFTERWARDS = gate("post_tool_use", {
  rewriteOutput: { gap: "The result reaches the model as it is." },
  stop: CONTINUES,
});

export const cursor: ClientCapabilities = {
  title: "Cursor",
  transports: ["command"],
  enforcedFrom: "3.2.11",
  evidence: "source",
  events: {
    preToolUse: gate("pre_tool_use", { deny: "held", ask: "held", rewriteInput: "held", stop: "denied" }, "context"),
    beforeShellExecution: EXECUTION,
    beforeMCPExecution: EXECUTION,
    beforeReadFile: READ,
    beforeTabFileRead: READ,
    postToolUse: gate(
      "post_tool_use",
      {
        rewriteOutput: {
          gap: "Results of built-in tools reach the model as they are; those of MCP tools are replaced.",
        },
        stop: CONTINUES,
      },
      "context",
    ),
    postToolUseFailure: { ...AFTERWARDS, addsContext: true },
    afterShellExecution: AFTERWARDS,
    afterMCPExecution: AFTERWARDS,
    afterFileEdit: AFTERWARDS,
    afterTabFileEdit: AFTERWARDS,
    beforeSubmitPrompt: gate("user_prompt_submit", { deny: "held" }, "context"),
    sessionStart: observer("session_start", "context"),
    sessionEnd: observer("session_end"),
    stop: observer("stop"),
    subagentStart: observer("on_agent_switch"),
    subagentStop: observer("subagent_stop"),
    preCompact: gate("pre_compact", { deny: { gap: "The compaction continues." } }),
    afterAgentResponse: observer("after_llm_call"),
    afterAgentThought: observer(null),
    workspaceOpen: observer(null),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "runs", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "Edits can be blocked only on `preToolUse`.",
    "`preToolUse` and `beforeShellExecution` fire for the same command: one call arrives twice where both are enrolled.",
    "Context of more than 10,000 characters is cut.",
    "Its command hooks and those of Claude Code run in the same project.",
  ],
};
