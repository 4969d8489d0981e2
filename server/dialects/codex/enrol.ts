/** The files that enrol Codex. Managed hooks need no trust and cannot be switched off; others wait for a person to trust them. */
import {
  type EnrolmentFile,
  type EnrolmentOptions,
  type HookSeconds,
  jsonFile,
  relayCommand,
  relayFiles,
  secondsOf,
} from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";
import { telemetryFiles } from "./telemetry.ts";

const EVENTS: Readonly<Record<string, Denial>> = {
  PreToolUse: "exit",
  PermissionRequest: "permission",
  PostToolUse: "ignore",
  UserPromptSubmit: "exit",
  SessionStart: "ignore",
  SessionEnd: "ignore",
  Stop: "ignore",
  SubagentStart: "ignore",
  SubagentStop: "ignore",
  PreCompact: "stop",
  PostCompact: "ignore",
  Interrupt: "ignore",
};
/** Codex clamps the time-out of these events. */
const CLAMPED = new Set(["SessionEnd", "Interrupt"]);
const CLAMPED_SECONDS: HookSeconds = { client: 3, relay: 2, wait: 0 };

interface CommandHook {
  readonly type: "command";
  readonly timeout: number;
  readonly command: string;
}

export function enrolCodex(options: EnrolmentOptions): EnrolmentFile[] {
  const hooks = Object.entries(EVENTS).map(([event, denial]) => [event, commandHook(options, event, denial)] as const);
  if (options.scope === "managed") return [requirementsFile(hooks), ...relayFiles(options)];
  const path = options.scope === "user" ? "~/.codex/hooks.json" : ".codex/hooks.json";
  const groups = hooks.map(([event, hook]) => [event, [{ hooks: [hook] }]]);
  return [jsonFile(path, { hooks: Object.fromEntries(groups) }), ...telemetryFiles(options), ...relayFiles(options)];
}

function commandHook(options: EnrolmentOptions, event: string, denial: Denial): CommandHook {
  const seconds = CLAMPED.has(event) ? CLAMPED_SECONDS : secondsOf(event);
  const command = relayCommand(options, { dialect: "codex", event, denial, seconds });
  return { type: "command", timeout: seconds.client, command };
}

/** Without `hooks = true`, a flag of the user's switches even managed hooks off. */
function requirementsFile(hooks: readonly (readonly [string, CommandHook])[]): EnrolmentFile {
  const lines = [
    "allow_managed_hooks_only = true",
    "",
    "[features]",
    "hooks = true",
    "",
    "[hooks]",
    'managed_dir = "/etc/codex/hooks"',
    ...hooks.flatMap(([event, { timeout, command }]) => [
      "",
      `[[hooks.${event}]]`,
      `[[hooks.${event}.hooks]]`,
      'type = "command"',
      `timeout = ${timeout}`,
      `command = ${JSON.stringify(command)}`,
    ]),
  ];
  return { path: "/etc/codex/requirements.toml", mode: 0o644, content: `${lines.join("\n")}\n`, settings: "toml" };
}
