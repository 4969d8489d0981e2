/** The files that enrol GitHub Copilot CLI: a file of hooks of our own, beside those of others. */
import {
  type EnrolmentFile,
  type EnrolmentOptions,
  jsonFile,
  relayCommand,
  relayFiles,
  secondsOf,
} from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";

/** Exit codes do not block a prompt, and a permission request reads its denial at the top. */
const EVENTS: Readonly<Record<string, Denial>> = {
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
  const hooks = Object.entries(EVENTS).map(([event, denial]) => {
    const command = relayCommand(options, { dialect: "copilot", event, denial });
    return [event, [{ type: "command", timeout: secondsOf(event).client, command }]];
  });
  const path = options.scope === "project" ? ".github/hooks/quarterdeck.json" : "~/.copilot/hooks/quarterdeck.json";
  return [jsonFile(path, { version: 1, hooks: Object.fromEntries(hooks) }), ...relayFiles(options)];
}
