/** The spend of judges of policies in shadow mode: real money, included in the sums of all spend. */
import type { Send } from "../platform/db.ts";
import { toProjectedRecord } from "./batch.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { insertRows } from "./insert-rows.ts";
import { judgeCallTable, judgeSumsOf, writeJudgeSums } from "./judge-calls.ts";

/**
 * Calls of observed policies are numbered after those of the dispatch's own hooks: the first policy's from this number
 * on.
 */
export const SHADOW_JUDGE_POSITION_MIN = 1_000;

export interface ShadowJudgeCalls {
  /** The dispatch, with the hooks of the observed policy instead of its own. */
  readonly record: DispatchRecord;
  /** Its position among the observed policies of the dispatch. */
  readonly place: number;
}

export function writeShadowJudgeCalls(send: Send, observed: readonly ShadowJudgeCalls[]): void {
  const entries = observed.flatMap(({ record, place }) => {
    const entry = toProjectedRecord(record, false);
    if (entry.judges.length === 0) return [];
    const from = SHADOW_JUDGE_POSITION_MIN * (place + 1);
    return [{ ...entry, judges: entry.judges.map((judge) => ({ ...judge, place: from + judge.place })) }];
  });
  const asked = entries.flatMap((entry) => entry.judges.map((judge) => ({ entry, judge })));
  void insertRows(send, judgeCallTable, asked);
  writeJudgeSums(send, judgeSumsOf(entries));
}
