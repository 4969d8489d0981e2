export { createJudgeChecks } from "./checks.ts";
export { createJudgeTrials } from "./trials.ts";
export { known } from "./views.ts";
