/** The files that enrol Claude Code. Commands fail closed in every version; `denial` of HTTP hooks only in new ones. */
import {
  type AskedEvents,
  type EnrolmentFile,
  type EnrolmentOptions,
  hooksByEvent,
  relayFiles,
  settingsFile,
} from "../enrolment.ts";
import { RECEIVER, telemetrySettings } from "./telemetry.ts";

/** `WorktreeCreate` is left out: a hook there replaces the creation of the worktree. */
const EVENTS: AskedEvents = {
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
};

export function enrolClaudeCode(options: EnrolmentOptions): EnrolmentFile[] {
  const settings = {
    ...(options.scope === "managed" && { allowManagedHooksOnly: true }),
    ...telemetrySettings(options),
    hooks: hooksByEvent(options, "claude-code", EVENTS, ({ command, seconds }) => [
      { hooks: [{ type: "command", command, timeout: seconds.client }] },
    ]),
  };
  return [{ ...settingsFile("claude-code", options, settings), receiver: RECEIVER }, ...relayFiles(options)];
}
