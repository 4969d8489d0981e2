export { type Backtests, createBacktests } from "./runs.ts";
