/** The files that enrol Qwen Code. Its HTTP hooks let the call run when they fail, so every hook is a command. */
import {
  claudeHooks,
  type EnrolmentFile,
  type EnrolmentOptions,
  headerFile,
  jsonFile,
  type OnFailure,
  PERMISSION_DENIED,
  type Scope,
} from "../enrolment.ts";

const PATHS: Record<Scope, string> = {
  project: ".qwen/settings.json",
  user: "~/.qwen/settings.json",
  managed: "/etc/qwen-code/settings.json",
};

const EVENTS: Readonly<Record<string, OnFailure>> = {
  PreToolUse: "exit",
  PermissionRequest: { print: PERMISSION_DENIED },
  PostToolUse: "ignore",
  PostToolUseFailure: "ignore",
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

/** A time-out below 1000 counts seconds, another one milliseconds. */
export function enrolQwen(options: EnrolmentOptions): EnrolmentFile[] {
  const hooks = claudeHooks(options, "qwen", EVENTS, { name: "quarterdeck" });
  return [jsonFile(PATHS[options.scope], { hooks }, "jsonc"), ...headerFile(options)];
}
