import type { Pack } from "../pack.ts";

const FLAT =
  "session_start turn_end after_llm_call stop session_end after_compaction subagent_stop on_agent_switch on_max_iterations on_session_resume on_tool_approval_decision notification on_error".split(
    " ",
  );

export const auditEverything: Pack = {
  id: "audit-everything",
  title: "Audit everything",
  version: 3,
  promise: "Whatever agents do is on record, and nothing is stopped by the recording.",
  denies: "",
  asks: "",
  changes: "",
  passes: "everything; its hooks do nothing but make the event be reported.",
  limits:
    "What an agent does not report is not on record: it sees finished tool calls and approvals, not what a tool did inside. It sees texts as they were; pair it with secrets out. It costs a process for each event.",
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
