/** The settings with which Claude Code sends its telemetry to the gateway: a record of each request, without prompts. */
import { type EnrolmentOptions, headerPath, telemetryUrl } from "../enrolment.ts";

export const RECEIVER = [
  ["otelHeadersHelper"],
  ...["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"].map(
    (name) => ["env", name],
  ),
];

/** Empty for a project: its settings are readable by every collaborator, and Claude Code ignores an exporter in them. */
export function telemetrySettings(options: EnrolmentOptions): Readonly<Record<string, unknown>> {
  if (options.hasTelemetry === false || options.scope === "project") return {};
  const env = {
    CLAUDE_CODE_ENABLE_TELEMETRY: "1",
    OTEL_LOGS_EXPORTER: "otlp",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_ENDPOINT: telemetryUrl(options),
    OTEL_LOG_USER_PROMPTS: "0",
  };
  return { env, otelHeadersHelper: headersCommand(options) };
}

/** The command that prints the key file as the JSON that Claude Code expects, so the key is not in the settings. */
function headersCommand(options: EnrolmentOptions): string {
  return `sed -n 's/^\\([A-Za-z]*\\): \\(.*\\)$/{"\\1":"\\2"}/p' "${headerPath(options, "$HOME")}"`;
}
