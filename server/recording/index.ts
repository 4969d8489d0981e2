export { isOfAgentsSql } from "./agent-filter-sql.ts";
export { argumentExcerpt, DECISION_RULE_VERSION, MAIN_ARGUMENTS } from "./argument-excerpt.ts";
export { createSums, isCounted } from "./batch.ts";
export { callKeyIn } from "./call-key.ts";
export { ensurePartitionsAhead, listMonthsAhead } from "./create-partitions.ts";
export {
  type DayBoundary,
  type DayShift,
  dayShiftParameters,
  dayShiftsOf,
  selectDayShiftsSql,
  utcStartOf,
} from "./day-shifts.ts";
export { createDeliveredNames } from "./delivered-names.ts";
export {
  type AllSums,
  type DerivedTable,
  rowTables,
  sessionsTable,
  sumTables,
  type TextRow,
} from "./derived-tables.ts";
export type { DispatchRecord, FirstAnswer, Recorded, RecordedDelivery, SpentGrant } from "./dispatch-record.ts";
export { entryWithWords, type RowWords } from "./entry-text.ts";
export { dispatchFacts, isRefusedCall } from "./facts.ts";
export { entryFromFacts, type FactsRow } from "./facts-entry.ts";
export { createFinalSums } from "./final-sums.ts";
export { gatedCallOf, isCountedByReport } from "./gated-call.ts";
export { HOOK_KEY_MAX, HOOK_RULE_VERSION } from "./hook-rows.ts";
export {
  type HourBuckets,
  type HourRollupRange,
  hourChartBucketsOf,
  hourRollupRangeOf,
  selectHourRollupsParameters,
  selectHourRollupsSql,
} from "./hour-rollup-ranges.ts";
export { insertRows, type Table } from "./insert-rows.ts";
export { elementSources, memberSources } from "./json-slices.ts";
export type { JudgedEntry } from "./judge-calls.ts";
export { JUDGE_KEY_MAX } from "./judge-rows.ts";
export { type LatencyCount, latencyPercentile } from "./latency.ts";
export { type Cost, formatDollars, formatUsd, parseCost, shortDollars } from "./money.ts";
export { indexKeyText, pgText } from "./pg-text.ts";
export { CLIENT_ESTIMATE } from "./projection.ts";
export { findCountingStart, findDeliveries, isRepeatOf } from "./repository.ts";
export { REVISION_RULE_VERSION, REVISION_SLOTS } from "./revision-sums.ts";
export { ROLLUP_COUNTS, ROLLUP_RULE_VERSION } from "./rollup-counts.ts";
export {
  type Buckets,
  chartBucketsOf,
  chartBucketWidthMs,
  DAY_MS,
  HOURS_KEPT_DAYS,
  MINUTES_KEPT_DAYS,
  type RollupRange,
  rollupRangeOf,
  selectRollupsParameters,
  selectRollupsSql,
  withoutDayRollups,
} from "./rollup-ranges.ts";
export { createRecorder, type Recorder } from "./service.ts";
export { SHADOW_JUDGE_POSITION_MIN, type ShadowJudgeCalls, writeShadowJudgeCalls } from "./shadow-judge-calls.ts";
export { GrantLostError } from "./spend-grants.ts";
export { SPEND_COUNTS } from "./spend-sums.ts";
export type { ProjectedRecord, SessionSums } from "./tables.ts";
export { type Follower, liveTopicsOf, writeFigures } from "./write-figures.ts";
