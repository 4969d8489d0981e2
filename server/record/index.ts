export { createEvidenceArchive } from "./cover/cover-archive.ts";
export { createEvidenceFile } from "./export/evidence-file.ts";
export { countOverdue, createRecordKeeping, listKeyIds, type RecordKeeping, ROUNDS_MISSED, state } from "./service.ts";
export { listVerifications, startVerification } from "./verification/verifications.ts";
