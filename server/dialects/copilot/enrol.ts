/** The files that enrol GitHub Copilot CLI: a separate hook file, next to those of others. */
import { createEnrolment } from "../settings-enrolment.ts";

export const enrolCopilot = createEnrolment({
  client: "copilot",
  settingsOf: () => ({ version: 1 }),
  hookOf: ({ command, seconds }) => [{ type: "command", timeout: seconds.client, command }],
  /** An exit code does not block a prompt. A permission request reads its denial from the top level. */
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
