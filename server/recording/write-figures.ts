/** All derived data of recorded entries, as the statements that add it to the stored data. */
import type { Topic } from "../events/schema.ts";
import type { Send } from "../platform/db.ts";
import { isCounted, sumRecords } from "./batch.ts";
import { compactionSessionTable, markedSessions } from "./compaction-sessions.ts";
import { isAllowedByPerson, writeFinalDecisions } from "./final-decisions.ts";
import { hookTables, listNotableHooks, outcomeTable } from "./hook-tables.ts";
import { insertRows } from "./insert-rows.ts";
import { judgeCallTable, writeJudgeSums } from "./judge-calls.ts";
import { writeLastSeen } from "./last-seen.ts";
import { reportDelayTable } from "./report-delays.ts";
import { writeRevisionSums } from "./revision-sums.ts";
import { writeSpendSums } from "./spend-sums.ts";
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

/** Derives something of its own from entries, in the same transaction. */
export type Follower = (send: Send, entries: readonly ProjectedRecord[]) => void;

/**
 * Most results are not awaited: they are part of a flight that commits completely or not at all. `logged` belong to one
 * workspace, whose cursor the caller has locked. Errors: those of an awaited query.
 */
export async function writeFigures(
  send: Send,
  logged: readonly ProjectedRecord[],
  followers: readonly Follower[],
): Promise<void> {
  const entries = logged.filter(isCounted);
  if (entries.length === 0) return;
  sendRowsOf(send, entries);
  sendSums(send, entries);
  await writeFinalDecisions(send, entries);
  writeLastSeen(send, entries);
  for (const follow of followers) follow(send, entries);
}

function sendRowsOf(send: Send, entries: readonly ProjectedRecord[]): void {
  const decided = entries.filter(({ projection }) => projection.decision !== null);
  void insertRows(send, decisionTable, decided);
  const called = entries.filter(({ projection }) => projection.call !== null);
  void insertRows(send, callTable, called);
  const compactions = entries.filter(({ projection }) => projection.compaction !== null);
  void insertRows(send, compactionTable, compactions);
  void insertRows(send, compactionSessionTable, markedSessions(compactions));
  const asked = entries.flatMap((entry) => entry.judges.map((judge) => ({ entry, judge })));
  void insertRows(send, judgeCallTable, asked);
  void insertRows(send, outcomeTable, listNotableHooks(entries));
}

/** Tables that a batch has nothing for cost no statement. */
function sendSums(send: Send, entries: readonly ProjectedRecord[]): void {
  const { sessions, minutes, hours, days, judges, hooks, revisions, reports, spend } = sumRecords(entries);
  void insertRows(send, sessionTable, sessions);
  void insertRows(send, minuteTable, minutes);
  void insertRows(send, hourTable, hours);
  void insertRows(send, dayTable, days);
  writeJudgeSums(send, judges);
  void insertRows(send, hookTables.hour, hooks.hours);
  void insertRows(send, hookTables.day, hooks.days);
  writeRevisionSums(send, revisions);
  void insertRows(send, reportDelayTable, reports);
  writeSpendSums(send, spend);
}

/** Pages that show something of these entries. */
export function liveTopicsOf(entries: readonly ProjectedRecord[]): readonly Topic[] {
  if (!entries.some(isCounted)) return [];
  const topics = new Set<Topic>(["overview", "agents"]);
  for (const entry of entries.filter(isCounted)) {
    const { record, projection, judges, hooks } = entry;
    // A tool that ran shows the effect of the decision about its call.
    if (projection.decision || record.event === "post_tool_use") topics.add("calls");
    if (projection.call) topics.add("costs").add("budgets");
    if (projection.compaction) topics.add("compactions");
    if (judges.length > 0) topics.add("judges");
    if (projection.sessionId !== "") topics.add("sessions");
    if (hooks.length > 0 || isAllowedByPerson(entry)) topics.add("rules");
  }
  return [...topics];
}
