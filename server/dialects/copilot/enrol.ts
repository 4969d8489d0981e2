/** The files that enrol GitHub Copilot CLI: a file of hooks of our own, beside those of others. */
import {
  type EnrolmentFile,
  type EnrolmentOptions,
  headerFile,
  jsonFile,
  NO_VERDICT,
  type OnFailure,
  relayCommand,
  secondsOf,
} from "../enrolment.ts";

/** Exit codes do not block a prompt, and a permission request reads its denial at the top. */
const EVENTS: Readonly<Record<string, OnFailure>> = {
  PreToolUse: "exit",
  PermissionRequest: { print: { behavior: "deny", message: NO_VERDICT } },
  PostToolUse: "ignore",
  PostToolUseFailure: "ignore",
  UserPromptSubmit: { print: { decision: "block", reason: NO_VERDICT } },
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
  const hooks = Object.entries(EVENTS).map(([event, onFailure]) => {
    const command = relayCommand(options, { dialect: "copilot", event, onFailure });
    return [event, [{ type: "command", timeout: secondsOf(event).client, command }]];
  });
  const path = options.scope === "project" ? ".github/hooks/quarterdeck.json" : "~/.copilot/hooks/quarterdeck.json";
  return [jsonFile(path, { version: 1, hooks: Object.fromEntries(hooks) }), ...headerFile(options)];
}
