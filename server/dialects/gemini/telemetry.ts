/**
 * The settings with which Gemini CLI sends its telemetry to the gateway. It reads the key from the environment, which a separate
 * file sets.
 */
import { splitAgentKey } from "../../platform/answer-mac.ts";
import { type EnrolmentFile, type EnrolmentOptions, telemetryUrl } from "../enrolment.ts";

export const RECEIVER = [["telemetry", "otlpEndpoint"]];

/** True for the user scope only: in other scopes, every user could read the key. */
const isKept = ({ key, scope, hasTelemetry }: EnrolmentOptions): boolean =>
  key !== undefined && scope === "user" && hasTelemetry !== false;

export function telemetrySettings(options: EnrolmentOptions): Readonly<Record<string, unknown>> {
  if (!isKept(options)) return {};
  const receiver = { target: "local", otlpProtocol: "http", otlpEndpoint: telemetryUrl(options) };
  return { telemetry: { enabled: true, ...receiver, logPrompts: false } };
}

export function environmentFiles(options: EnrolmentOptions): EnrolmentFile[] {
  if (!isKept(options)) return [];
  const content = `OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer ${splitAgentKey(options.key ?? "").bearer}"\n`;
  return [
    {
      ...{ path: "~/.gemini/.env", mode: 0o600, content, settings: "env" },
      ...{ receiver: [["OTEL_EXPORTER_OTLP_HEADERS"]], isTelemetry: true, isSecret: true },
    },
  ];
}
