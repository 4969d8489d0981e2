/** The files that enrol Codex. Managed hooks need no trust and cannot be switched off; others wait for a person to trust them. */
import {
  CLIENT_SECONDS,
  type EnrolmentFile,
  type EnrolmentOptions,
  headerFile,
  jsonFile,
  type OnFailure,
  PERMISSION_DENIED,
  relayCommand,
  STOPPED,
} from "../enrolment.ts";

const EVENTS: Readonly<Record<string, OnFailure>> = {
  PreToolUse: "exit",
  PermissionRequest: { print: PERMISSION_DENIED },
  PostToolUse: "ignore",
  UserPromptSubmit: "exit",
  SessionStart: "ignore",
  SessionEnd: "ignore",
  Stop: "ignore",
  SubagentStart: "ignore",
  SubagentStop: "ignore",
  PreCompact: { print: STOPPED },
  PostCompact: "ignore",
  Interrupt: "ignore",
};
/** Codex clamps the time-out of these events. */
const CLAMPED = new Set(["SessionEnd", "Interrupt"]);
const CLAMPED_SECONDS = 3;

interface CommandHook {
  readonly type: "command";
  readonly timeout: number;
  readonly command: string;
}

export function enrolCodex(options: EnrolmentOptions): EnrolmentFile[] {
  const hooks = Object.entries(EVENTS).map(
    ([event, onFailure]) => [event, commandHook(options, event, onFailure)] as const,
  );
  if (options.scope === "managed") return [requirementsFile(hooks), ...headerFile(options)];
  const path = options.scope === "user" ? "~/.codex/hooks.json" : ".codex/hooks.json";
  const groups = hooks.map(([event, hook]) => [event, [{ hooks: [hook] }]]);
  return [jsonFile(path, { hooks: Object.fromEntries(groups) }), ...headerFile(options)];
}

function commandHook(options: EnrolmentOptions, event: string, onFailure: OnFailure): CommandHook {
  const isClamped = CLAMPED.has(event);
  const relay = { dialect: "codex", event, onFailure, ...(isClamped && { seconds: CLAMPED_SECONDS - 1 }) };
  return {
    type: "command",
    timeout: isClamped ? CLAMPED_SECONDS : CLIENT_SECONDS,
    command: relayCommand(options, relay),
  };
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
