/** The settings by which Claude Code sends its telemetry to the gateway: a record of each request, and no prompt. */
import { type EnrolmentOptions, headerPath, telemetryUrl } from "../enrolment.ts";

export const RECEIVER = [
  ["otelHeadersHelper"],
  ...["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"].map(
    (name) => ["env", name],
  ),
];

/** A project's settings are read by everybody, and it ignores an exporter in them. */
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

/** Prints the file with the key as the JSON that it asks for, so that the key is in no settings. */
function headersCommand({ scope }: EnrolmentOptions): string {
  return `sed -n 's/^\\([A-Za-z]*\\): \\(.*\\)$/{"\\1":"\\2"}/p' "${headerPath(scope, "$HOME")}"`;
}
