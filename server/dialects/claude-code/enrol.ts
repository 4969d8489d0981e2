/** The files that enrol Claude Code. Commands fail closed in every version; `denial` of HTTP hooks only in new ones. */
import {
  claudeHooks,
  type EnrolmentFile,
  type EnrolmentOptions,
  jsonFile,
  relayFiles,
  type Scope,
} from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";
import { RECEIVER, telemetrySettings } from "./telemetry.ts";

const PATHS: Record<Scope, string> = {
  project: ".claude/settings.json",
  user: "~/.claude/settings.json",
  managed: "/etc/claude-code/managed-settings.json",
};

/** `WorktreeCreate` is left out: a hook there replaces the creation of the worktree. */
const EVENTS: Readonly<Record<string, Denial>> = {
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
    hooks: claudeHooks(options, "claude-code", EVENTS),
  };
  return [{ ...jsonFile(PATHS[options.scope], settings), receiver: RECEIVER }, ...relayFiles(options)];
}
