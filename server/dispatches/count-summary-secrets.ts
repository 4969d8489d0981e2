import { countSecretsByRule } from "@quarterdeck/hooks";
import type { DispatchRecord } from "../recording/index.ts";

/** The record, knowing which secrets an applied summary holds: the masked text that is stored no longer says it. */
export function countSummarySecrets(record: DispatchRecord): DispatchRecord {
  const { summary } = record.input;
  if (record.event !== "after_compaction" || typeof summary !== "string") return record;
  return { ...record, summarySecrets: countSecretsByRule(summary) };
}
