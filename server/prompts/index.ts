export { createJudgeChecks } from "./checks.ts";
export { countWatched } from "./known-calls/run-rows.ts";
export { createKnownCallsJob } from "./known-calls/runner.ts";
export { createJudgeTrials } from "./trials.ts";
export { known } from "./views.ts";
