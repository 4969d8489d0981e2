export { CORRECTIONS_SQL, type CorrectionRow, correctionOf, SESSION_CORRECTIONS_SQL } from "./ledger/repository.ts";
export { correct } from "./ledger/service.ts";
export { sumByBucket, UNITS } from "./ledger/tables.ts";
export { createEstimating, type Estimating } from "./prices/estimate-job.ts";
export { listUnreadablePrices } from "./prices/service.ts";
export { call, summary } from "./service.ts";
