/** The settings with which Codex sends its telemetry to the gateway. Codex reads them only in config.toml, including the key. */
import { splitAgentKey } from "../../platform/answer-mac.ts";
import { CLIENT_FILES } from "../client-files.ts";
import { type EnrolmentFile, type EnrolmentOptions, telemetryUrl } from "../enrolment.ts";

/** For the user scope only: a project's file is committed, and every user can read a managed one. */
export function telemetryFiles(options: EnrolmentOptions): EnrolmentFile[] {
  const { key, scope, hasTelemetry } = options;
  if (key === undefined || scope !== "user" || hasTelemetry === false) return [];
  const lines = [
    "[otel]",
    "log_user_prompt = false",
    "",
    "[otel.exporter.otlp-http]",
    `endpoint = "${telemetryUrl(options)}/v1/logs"`,
    'protocol = "binary"',
    "",
    "[otel.exporter.otlp-http.headers]",
    `Authorization = "Bearer ${splitAgentKey(key).bearer}"`,
  ];
  return [
    {
      ...{ path: CLIENT_FILES.codex.user[1], mode: 0o600, content: `${lines.join("\n")}\n`, settings: "toml" },
      ...{ receiver: [["otel", "exporter"]], isTelemetry: true, isSecret: true },
    },
  ];
}
