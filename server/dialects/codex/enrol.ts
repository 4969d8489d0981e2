/** The files that enrol Codex. Managed hooks need no trust and cannot be disabled; other hooks run only after the user trusts them. */
import { CLIENT_FILES } from "../client-files.ts";
import { type EnrolmentFile, type EnrolmentOptions, type HookSeconds, relayFiles, secondsOf } from "../enrolment.ts";
import { type AskingHooks, createEnrolment, hooksByEvent } from "../settings-enrolment.ts";
import { telemetryFiles } from "./telemetry.ts";

/** Codex clamps the time-out of these events. */
const CLAMPED = new Set(["SessionEnd", "Interrupt"]);
const CLAMPED_SECONDS: HookSeconds = { client: 3, relay: 2, wait: 0 };

export const codexSeconds = (event: string): HookSeconds => (CLAMPED.has(event) ? CLAMPED_SECONDS : secondsOf(event));

interface CommandHook {
  readonly type: "command";
  readonly timeout: number;
  readonly command: string;
}

const HOOKS: AskingHooks<CommandHook> = {
  client: "codex",
  secondsFor: codexSeconds,
  hookOf: ({ command, seconds }) => ({ type: "command", timeout: seconds.client, command }),
  events: {
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
  },
};

const enrolSettings = createEnrolment({
  ...HOOKS,
  hookOf: (hook) => [{ hooks: [HOOKS.hookOf(hook)] }],
  moreFiles: telemetryFiles,
});

export const enrolCodex = (options: EnrolmentOptions): EnrolmentFile[] =>
  options.scope === "managed" ? [requirementsFile(options), ...relayFiles(options)] : enrolSettings(options);

/** Without `hooks = true`, a command-line flag disables even managed hooks. */
function requirementsFile(options: EnrolmentOptions): EnrolmentFile {
  const hooks = hooksByEvent(options, HOOKS);
  const lines = [
    "allow_managed_hooks_only = true",
    "",
    "[features]",
    "hooks = true",
    "",
    "[hooks]",
    'managed_dir = "/etc/codex/hooks"',
    ...Object.entries(hooks).flatMap(([event, { timeout, command }]) => [
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
