/** The files that enrol GitHub Copilot CLI: a file of hooks of our own next to those of others. */
import { createEnrolment } from "../settings-enrolment.ts";

export const enrolCopilot = createEnrolment({
  client: "copilot",
  settingsOf: () => ({ version: 1 }),
  hookOf: ({ command, seconds }) => [{ type: "command", timeout: seconds.client, command }],
  /** Exit codes do not block a prompt, and a permission request reads its denial at the top. */
  events: {
    PreToolUse: "exit",
    PermissionRequest: "behavior",
    PostToolUse: "ignore",
    PostToolUseFailure: "ignore",
    UserPromptSubmit: "block",
    SessionStart: "ignore",
    sessionEnd: "ignore",
    Stop: "ignore",
    subagentStart: "ignore",
    subagentStop: "ignore",
    preCompact: "ignore",
    notification: "ignore",
    errorOccurred: "ignore",
  },
});
