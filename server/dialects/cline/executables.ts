/** The programs that Cline runs as hooks, by file name, each with its event and its form of denial. */
import type { Denial } from "../relay/relay-script.ts";

export const EXECUTABLES: Readonly<Record<string, readonly [event: string, denial: Denial]>> = {
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
