/** All that is derived from recorded entries, as the statements that add it to what is stored. */
import type { Topic } from "../live/service.ts";
import type { Send } from "../platform/db.ts";
import { sumsOf } from "./batch.ts";
import { sendRows } from "./columns.ts";
import { compactionSessionTable, markedSessions } from "./compaction-sessions.ts";
import { isPersonsAllow, sendFinalDecisions } from "./final-decisions.ts";
import { hookTables, notableOf, outcomeTable } from "./hook-tables.ts";
import { judgeCallTable, sendJudgeSums } from "./judge-calls.ts";
import { reportTable } from "./reports.ts";
import {
  callTable,
  compactionTable,
  dayTable,
  decisionTable,
  hourTable,
  minuteTable,
  type ProjectedRecord,
  sessionTable,
} from "./tables.ts";
import { sendTouch } from "./touch.ts";

/** Derives something of its own from entries, in the same transaction. */
export type Follower = (send: Send, entries: readonly ProjectedRecord[]) => void;

/**
 * Nobody waits for most of the answers: the flight they are part of lands whole or not at all. `entries` are of one workspace,
 * whose cursor the caller holds. Errors: those of a query that was waited for.
 */
export async function sendFigures(
  send: Send,
  entries: readonly ProjectedRecord[],
  followers: readonly Follower[],
): Promise<void> {
  if (entries.length === 0) return;
  sendRowsOf(send, entries);
  sendSums(send, entries);
  await sendFinalDecisions(send, entries);
  sendTouch(send, entries);
  for (const follow of followers) follow(send, entries);
}

function sendRowsOf(send: Send, entries: readonly ProjectedRecord[]): void {
  const decided = entries.filter(({ projection }) => projection.decision !== null);
  void sendRows(send, decisionTable, decided);
  const called = entries.filter(({ projection }) => projection.call !== null);
  void sendRows(send, callTable, called);
  const compactions = entries.filter(({ projection }) => projection.compaction !== null);
  void sendRows(send, compactionTable, compactions);
  void sendRows(send, compactionSessionTable, markedSessions(compactions));
  const asked = entries.flatMap((entry) => entry.judges.map((judge) => ({ entry, judge })));
  void sendRows(send, judgeCallTable, asked);
  void sendRows(send, outcomeTable, notableOf(entries));
}

/** Tables that a batch has nothing for cost no statement. */
function sendSums(send: Send, entries: readonly ProjectedRecord[]): void {
  const { sessions, minutes, hours, days, judges, hooks, reports } = sumsOf(entries);
  void sendRows(send, sessionTable, sessions);
  void sendRows(send, minuteTable, minutes);
  void sendRows(send, hourTable, hours);
  void sendRows(send, dayTable, days);
  sendJudgeSums(send, judges);
  void sendRows(send, hookTables.hour, hooks.hours);
  void sendRows(send, hookTables.day, hooks.days);
  void sendRows(send, reportTable, reports);
}

/** Pages that show something of these entries. */
export function topicsOf(entries: readonly ProjectedRecord[]): readonly Topic[] {
  if (entries.length === 0) return [];
  const topics = new Set<Topic>(["overview", "agents"]);
  for (const entry of entries) {
    const { record, projection, judges, hooks } = entry;
    // A tool that ran tells what became of the decision over its call.
    if (projection.decision || record.event === "post_tool_use") topics.add("decisions");
    if (projection.call) topics.add("costs").add("budgets");
    if (projection.compaction) topics.add("compactions");
    if (judges.length > 0) topics.add("judges");
    if (projection.sessionId !== "") topics.add("sessions");
    if (hooks.length > 0 || isPersonsAllow(entry)) topics.add("rules");
  }
  return [...topics];
}
