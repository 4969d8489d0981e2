/** The files that enrol Gemini CLI. Its time-outs are milliseconds. */
import { createEnrolment } from "../settings-enrolment.ts";
import { environmentFiles, RECEIVER, telemetrySettings } from "./telemetry.ts";

export const enrolGemini = createEnrolment({
  client: "gemini",
  receiver: RECEIVER,
  /** The user's `hooksConfig.enabled: false` wins unless the managed file says true. */
  settingsOf: (options) => ({ hooksConfig: { enabled: true }, ...telemetrySettings(options) }),
  moreFiles: environmentFiles,
  hookOf: ({ command, seconds }) => [
    { hooks: [{ name: "quarterdeck", type: "command", timeout: seconds.client * 1000, command }] },
  ],
  /** `AfterModel` is left out because it fires for each chunk, and `PreCompress` because it fires before every model call. */
  events: {
    BeforeTool: "exit",
    AfterTool: "ignore",
    BeforeAgent: "exit",
    AfterAgent: "ignore",
    BeforeModel: "exit",
    SessionStart: "ignore",
    SessionEnd: "ignore",
    Notification: "ignore",
  },
});
