/** The spend of judges that were asked by policies which answer nobody: real money, in the same sums as all spend. */
import type { Send } from "../platform/db.ts";
import { entryOf } from "./batch.ts";
import { sendRows } from "./columns.ts";
import { judgeCallTable, judgeSumsOf, sendJudgeSums } from "./judge-calls.ts";
import type { DispatchRecord } from "./record.ts";

/** Calls of observed policies stand behind those of the dispatch's own hooks: the first policy's from here on, and so on. */
export const OBSERVED_POSITION = 1_000;

export interface ObservedJudges {
  /** The dispatch, with the hooks of the observed policy instead of its own. */
  readonly record: DispatchRecord;
  /** Among the observed policies of the dispatch. */
  readonly place: number;
}

export function sendObservedJudges(send: Send, observed: readonly ObservedJudges[]): void {
  const entries = observed.flatMap(({ record, place }) => {
    const entry = entryOf(record, false);
    if (entry.judges.length === 0) return [];
    const from = OBSERVED_POSITION * (place + 1);
    return [{ ...entry, judges: entry.judges.map((judge) => ({ ...judge, place: from + judge.place })) }];
  });
  const asked = entries.flatMap((entry) => entry.judges.map((judge) => ({ entry, judge })));
  void sendRows(send, judgeCallTable, asked);
  sendJudgeSums(send, judgeSumsOf(entries));
}
