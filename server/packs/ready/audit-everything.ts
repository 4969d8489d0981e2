import type { Pack } from "../pack.ts";

const FLAT =
  "session_start turn_end after_llm_call stop session_end after_compaction subagent_stop on_agent_switch on_max_iterations on_session_resume on_tool_approval_decision notification on_error".split(
    " ",
  );

export const auditEverything: Pack = {
  id: "audit-everything",
  title: "Audit everything",
  version: 3,
  promise: "Records all agent events without blocking anything.",
  denies: "",
  asks: "",
  changes: "",
  passes: "everything. Its hooks only make the agent report the event.",
  limits:
    "Unreported events are not recorded. It records finished tool calls and approvals, not the work inside a tool. It records texts unmasked: combine it with Secrets out. Each event starts a process.",
  source: `# Each hook does nothing. That there is one makes agents report the event, and every report is on record.
# Only events are here that stop nothing, so that recording never stands in the way.
profile: "2026-11"
hooks:
  post_tool_use:
    - matcher: "*"
      hooks:
        - {name: on record, type: command, command: ":", timeout: 5, on_error: ignore}
${FLAT.map((event) => `  ${event}:\n    - {name: on record, type: command, command: ":", timeout: 5, on_error: ignore}`).join("\n")}
`,
};
