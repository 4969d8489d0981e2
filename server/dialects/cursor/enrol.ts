/**
 * The files that enrol Cursor. It appends the payload to the command as a here-document, so the relay is one word for the
 * shell; `failClosed` also blocks after a time-out or without any output.
 */
import {
  type AskedEvents,
  type EnrolmentFile,
  type EnrolmentOptions,
  hooksByEvent,
  relayFiles,
  settingsFile,
} from "../enrolment.ts";

/** Left out: `beforeShellExecution` and `beforeMCPExecution`, with what follows them, repeat calls of `preToolUse`. */
const EVENTS: AskedEvents = {
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
  const hooks = hooksByEvent(
    options,
    "cursor",
    EVENTS,
    ({ command, seconds, denial }) => [
      { command, timeout: seconds.client, ...(denial !== "ignore" && { failClosed: true }) },
    ],
    { isWrapped: true },
  );
  return [settingsFile("cursor", options, { version: 1, hooks }), ...relayFiles(options)];
}
