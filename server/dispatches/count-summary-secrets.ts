import { countSecretsByRule } from "@quarterdeck/hooks";
import type { DispatchRecord } from "../recording/index.ts";

/** The record with the count of secrets in an applied summary, which the masked, stored text no longer shows. */
export function countSummarySecrets(record: DispatchRecord): DispatchRecord {
  const { summary } = record.input;
  if (record.event !== "after_compaction" || typeof summary !== "string") return record;
  return { ...record, summarySecrets: countSecretsByRule(summary) };
}
