/** The files that enrol Gemini CLI. Its time-outs are milliseconds. */
import {
  type AskedEvents,
  type EnrolmentFile,
  type EnrolmentOptions,
  hooksByEvent,
  relayFiles,
  settingsFile,
} from "../enrolment.ts";
import { environmentFiles, RECEIVER, telemetrySettings } from "./telemetry.ts";

/** Left out: `AfterModel` fires per chunk, and `PreCompress` before every model call. */
const EVENTS: AskedEvents = {
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
  const settings = {
    hooksConfig: { enabled: true },
    ...telemetrySettings(options),
    hooks: hooksByEvent(options, "gemini", EVENTS, ({ command, seconds }) => [
      { hooks: [{ name: "quarterdeck", type: "command", timeout: seconds.client * 1000, command }] },
    ]),
  };
  const file = { ...settingsFile("gemini", options, settings), receiver: RECEIVER };
  return [file, ...environmentFiles(options), ...relayFiles(options)];
}
