export { createEvidenceFile } from "./export/evidence-file.ts";
export { countOverdue, createRecordKeeping, type RecordKeeping, ROUNDS_MISSED, state } from "./service.ts";
export { listVerifications, startVerification } from "./verification/verifications.ts";
