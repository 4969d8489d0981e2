/**
 * The files that enrol Cursor. Cursor appends the payload to the command as a here-document, so the relay command is a single
 * shell word. `failClosed` also blocks after a time-out or without output.
 */
import { createEnrolment } from "../settings-enrolment.ts";

export const enrolCursor = createEnrolment({
  client: "cursor",
  settingsOf: () => ({ version: 1 }),
  isWrapped: true,
  hookOf: ({ command, seconds, denial }) => [
    { command, timeout: seconds.client, ...(denial !== "ignore" && { failClosed: true }) },
  ],
  /** `beforeShellExecution`, `beforeMCPExecution` and their after events are left out: they repeat the calls of `preToolUse`. */
  events: {
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
  },
});
