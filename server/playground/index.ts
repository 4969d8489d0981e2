export { readCaseFile } from "./case-file.ts";
export { runCases as runCasesOffline } from "./case-runner.ts";
export { listCases, saveCase } from "./cases.ts";
export { createPlayground } from "./service.ts";
export type { JudgeClients, PlaygroundWorld } from "./world.ts";
