export { createLiveTests, type LiveTests } from "./live-test/live-tests.ts";
export { type Backtests, createBacktests } from "./runs.ts";
export type { SampleTools } from "./sampling/sampled-hooks.ts";
