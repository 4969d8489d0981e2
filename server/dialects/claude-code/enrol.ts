/** The files that enrol Claude Code. Command hooks fail closed in every version. The `denial` of HTTP hooks does so only in new ones. */
import { createEnrolment } from "../settings-enrolment.ts";
import { RECEIVER, telemetrySettings } from "./telemetry.ts";

export const enrolClaudeCode = createEnrolment({
  client: "claude-code",
  receiver: RECEIVER,
  settingsOf: (options) => ({
    ...(options.scope === "managed" && { allowManagedHooksOnly: true }),
    ...telemetrySettings(options),
  }),
  hookOf: ({ command, seconds }) => [{ hooks: [{ type: "command", command, timeout: seconds.client }] }],
  /** `WorktreeCreate` is left out: a hook there replaces the creation of the worktree. */
  events: {
    PreToolUse: "exit",
    PermissionRequest: "permission",
    PostToolUse: "ignore",
    PostToolUseFailure: "ignore",
    PermissionDenied: "ignore",
    UserPromptSubmit: "exit",
    SessionStart: "ignore",
    SessionEnd: "ignore",
    Stop: "ignore",
    StopFailure: "ignore",
    SubagentStart: "ignore",
    SubagentStop: "ignore",
    PreCompact: "exit",
    PostCompact: "ignore",
    Notification: "ignore",
  },
});
