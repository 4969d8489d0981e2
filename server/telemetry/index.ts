export { createTelemetry, type Telemetry, type TelemetryState } from "./service.ts";
