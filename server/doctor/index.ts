export { examine, type Patient } from "./examine.ts";
export { type Installation, newestExamination } from "./installation.ts";
export { disk, modes, nodeVersion, secrets } from "./machine.ts";
export { answerTelemetry } from "./telemetry-state.ts";
export { startUptime } from "./uptime/service.ts";
