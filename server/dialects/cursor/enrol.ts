/**
 * The files that enrol Cursor. It appends the payload to the command as a here-document, so the relay is one word for the
 * shell; `failClosed` also blocks after a time-out or without any output.
 */
import {
  type EnrolmentFile,
  type EnrolmentOptions,
  jsonFile,
  relayCommand,
  relayFiles,
  type Scope,
  secondsOf,
} from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";

const PATHS: Record<Scope, string> = {
  project: ".cursor/hooks.json",
  user: "~/.cursor/hooks.json",
  managed: "/etc/cursor/hooks.json",
};

/** Left out: `beforeShellExecution` and `beforeMCPExecution`, with what follows them, repeat calls of `preToolUse`. */
const EVENTS: Readonly<Record<string, Denial>> = {
  preToolUse: "exit",
  beforeReadFile: "exit",
  beforeTabFileRead: "exit",
  beforeSubmitPrompt: "exit",
  postToolUse: "ignore",
  postToolUseFailure: "ignore",
  afterTabFileEdit: "ignore",
  afterAgentResponse: "ignore",
  sessionStart: "ignore",
  sessionEnd: "ignore",
  stop: "ignore",
  subagentStart: "ignore",
  subagentStop: "ignore",
  preCompact: "ignore",
};

export function enrolCursor(options: EnrolmentOptions): EnrolmentFile[] {
  const hooks = Object.entries(EVENTS).map(([event, denial]) => {
    const command = relayCommand(options, { dialect: "cursor", event, denial, isWrapped: true });
    return [event, [{ command, timeout: secondsOf(event).client, ...(denial !== "ignore" && { failClosed: true }) }]];
  });
  return [jsonFile(PATHS[options.scope], { version: 1, hooks: Object.fromEntries(hooks) }), ...relayFiles(options)];
}
