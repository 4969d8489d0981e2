/** The entry of a row of the log with its texts, which lists and drawers show next to figures. Pure. */

import type { DispatchRecord } from "./dispatch-record.ts";
import { type DispatchFacts, entryFromFacts, type FactsRow } from "./facts-entry.ts";
import { type DecisionRow, gateWords, projectDispatch } from "./projection.ts";
import type { ProjectedRecord } from "./tables.ts";

/** JSON texts of the row, or null where nothing is shown of them, and its reason. */
export interface RowWords {
  readonly input: string | null;
  readonly answer: string | null;
  readonly reason: string | null;
}

/** Errors: when the facts' cost is invalid, or a text is not JSON. */
export function entryWithWords(
  row: FactsRow,
  facts: DispatchFacts,
  { input, answer, reason }: RowWords,
): ProjectedRecord {
  const entry = entryFromFacts(row, facts);
  const { decision, compaction } = entry.projection;
  if (decision === null && compaction === null) return entry;
  const record: DispatchRecord = {
    ...entry.record,
    input: JSON.parse(input ?? "{}"),
    answer: JSON.parse(answer ?? "{}"),
    reason: reason ?? "",
  };
  const told = projectDispatch(record);
  const wordsOfDecision = wordsOf(decision, record, told.decision);
  const wordsOfCompaction = {
    effectText: told.compaction?.effectText ?? "",
    summary: told.compaction?.summary ?? null,
  };
  return {
    ...entry,
    projection: {
      ...entry.projection,
      decision: decision && { ...decision, ...wordsOfDecision },
      compaction: compaction && { ...compaction, ...wordsOfCompaction },
    },
  };
}

/** Hooks are no part of the row: without them no verdict looks lifted, and no call looks counted. */
function wordsOf(
  decision: DecisionRow | null,
  record: DispatchRecord,
  own: DecisionRow | null,
): Pick<DecisionRow, "reason" | "excerpt"> {
  if (decision?.verdict === "lifted") return gateWords(record);
  if (decision?.verdict === "none") return { ...gateWords(record), reason: "" };
  return { reason: own?.reason ?? "", excerpt: own?.excerpt ?? "" };
}
