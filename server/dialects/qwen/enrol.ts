/** The files that enrol Qwen Code. Its HTTP hooks let the call run when they fail, so every hook is a command. */
import {
  claudeHooks,
  type EnrolmentFile,
  type EnrolmentOptions,
  type HookSeconds,
  jsonFile,
  relayFiles,
  type Scope,
  secondsOf,
} from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";

const PATHS: Record<Scope, string> = {
  project: ".qwen/settings.json",
  user: "~/.qwen/settings.json",
  managed: "/etc/qwen-code/settings.json",
};

const EVENTS: Readonly<Record<string, Denial>> = {
  PreToolUse: "exit",
  PermissionRequest: "permission",
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

/** It runs a call that hooks have not answered after 60 seconds, whatever their own time-out is. */
const FOR_A_PERSON: HookSeconds = { client: 60, relay: 50, wait: 45 };
const secondsFor = (event: string): HookSeconds => (secondsOf(event).wait > 0 ? FOR_A_PERSON : secondsOf(event));

/** Time-outs in milliseconds: version 0.15 knows nothing else, and for later ones only a number below 1000 counts seconds. */
export function enrolQwen(options: EnrolmentOptions): EnrolmentFile[] {
  const hooks = claudeHooks(options, "qwen", EVENTS, { name: "quarterdeck", secondsFor, perSecond: 1_000 });
  return [jsonFile(PATHS[options.scope], { hooks }, "jsonc"), ...relayFiles(options)];
}
