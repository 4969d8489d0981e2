/** The files that enrol Gemini CLI. Its time-outs are milliseconds. */
import {
  type EnrolmentFile,
  type EnrolmentOptions,
  jsonFile,
  relayCommand,
  relayFiles,
  type Scope,
  secondsOf,
} from "../enrolment.ts";
import type { Denial } from "../relay/relay-script.ts";
import { environmentFiles, RECEIVER, telemetrySettings } from "./telemetry.ts";

const PATHS: Record<Scope, string> = {
  project: ".gemini/settings.json",
  user: "~/.gemini/settings.json",
  managed: "/etc/gemini-cli/settings.json",
};

/** Left out: `AfterModel` fires per chunk, and `PreCompress` before every model call. */
const EVENTS: Readonly<Record<string, Denial>> = {
  BeforeTool: "exit",
  AfterTool: "ignore",
  BeforeAgent: "exit",
  AfterAgent: "ignore",
  BeforeModel: "exit",
  SessionStart: "ignore",
  SessionEnd: "ignore",
  Notification: "ignore",
};

/** The user's `hooksConfig.enabled: false` wins unless the managed file says true. */
export function enrolGemini(options: EnrolmentOptions): EnrolmentFile[] {
  const hooks = Object.entries(EVENTS).map(([event, denial]) => {
    const command = relayCommand(options, { dialect: "gemini", event, denial });
    return [
      event,
      [{ hooks: [{ name: "quarterdeck", type: "command", timeout: secondsOf(event).client * 1000, command }] }],
    ];
  });
  const settings = {
    hooksConfig: { enabled: true },
    ...telemetrySettings(options),
    hooks: Object.fromEntries(hooks),
  };
  const file = { ...jsonFile(PATHS[options.scope], settings, "jsonc"), receiver: RECEIVER };
  return [file, ...environmentFiles(options), ...relayFiles(options)];
}
