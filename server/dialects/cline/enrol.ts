/** The files that enrol Cline: an executable per event. Its exit codes do nothing, so the refusal is printed. */
import { type EnrolmentFile, type EnrolmentOptions, relayCommand, relayFiles } from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";

/** By the name of the executable, the event of the URL, and the end of a failed call. */
const EXECUTABLES: Readonly<Record<string, readonly [event: string, denial: Denial]>> = {
  PreToolUse: ["tool_call", "cancel"],
  PostToolUse: ["tool_result", "ignore"],
  UserPromptSubmit: ["prompt_submit", "cancel"],
  TaskStart: ["agent_start", "ignore"],
  TaskResume: ["agent_resume", "ignore"],
  TaskCancel: ["agent_abort", "ignore"],
  TaskComplete: ["agent_end", "ignore"],
  TaskError: ["agent_error", "ignore"],
  SessionShutdown: ["session_shutdown", "ignore"],
};

export function enrolCline(options: EnrolmentOptions): EnrolmentFile[] {
  const executables = Object.entries(EXECUTABLES).map(([name, [event, denial]]) => ({
    path: `~/.cline/hooks/${name}`,
    mode: 0o755,
    content: `#!/bin/sh\n# Asks Quarterdeck; without a verdict, an event that can block does.\n${relayCommand(options, { dialect: "cline", event, denial })}\n`,
  }));
  return [...executables, ...relayFiles(options)];
}
