/** The files that enrol Codex. Managed hooks need no trust and cannot be switched off; others wait for a person to trust them. */
import { CLIENT_FILES } from "../client-files.ts";
import {
  type AskedEvents,
  type EnrolmentFile,
  type EnrolmentOptions,
  type HookSeconds,
  hooksByEvent,
  relayFiles,
  secondsOf,
  settingsFile,
} from "../enrolment.ts";
import { telemetryFiles } from "./telemetry.ts";

const EVENTS: AskedEvents = {
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

const secondsFor = (event: string): HookSeconds => (CLAMPED.has(event) ? CLAMPED_SECONDS : secondsOf(event));

export function enrolCodex(options: EnrolmentOptions): EnrolmentFile[] {
  const commands = hooksByEvent(
    options,
    "codex",
    EVENTS,
    ({ command, seconds }): CommandHook => ({ type: "command", timeout: seconds.client, command }),
    { secondsFor },
  );
  const hooks = Object.entries(commands);
  if (options.scope === "managed") return [requirementsFile(hooks), ...relayFiles(options)];
  const groups = hooks.map(([event, hook]) => [event, [{ hooks: [hook] }]]);
  const settings = settingsFile("codex", options, { hooks: Object.fromEntries(groups) });
  return [settings, ...telemetryFiles(options), ...relayFiles(options)];
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
  const [path] = CLIENT_FILES.codex.managed;
  return { path, mode: 0o644, content: `${lines.join("\n")}\n`, settings: "toml" };
}
