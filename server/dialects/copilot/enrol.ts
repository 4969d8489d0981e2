/** The files that enrol GitHub Copilot CLI: a file of hooks of our own, beside those of others. */
import {
  type AskedEvents,
  type EnrolmentFile,
  type EnrolmentOptions,
  hooksByEvent,
  relayFiles,
  settingsFile,
} from "../enrolment.ts";

/** Exit codes do not block a prompt, and a permission request reads its denial at the top. */
const EVENTS: AskedEvents = {
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
};

export function enrolCopilot(options: EnrolmentOptions): EnrolmentFile[] {
  const hooks = hooksByEvent(options, "copilot", EVENTS, ({ command, seconds }) => [
    { type: "command", timeout: seconds.client, command },
  ]);
  return [settingsFile("copilot", options, { version: 1, hooks }), ...relayFiles(options)];
}
