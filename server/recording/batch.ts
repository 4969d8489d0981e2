/** Turns a batch of records into everything one transaction writes. */

import { clientOf } from "./client.ts";
import type { DispatchRecord } from "./dispatch-record.ts";
import { silentCallOf } from "./gated-call.ts";
import { toHookRows } from "./hook-rows.ts";
import { createHookSums } from "./hook-tables.ts";
import { createJudgeSums } from "./judge-calls.ts";
import { toJudgeRows } from "./judge-rows.ts";
import { indexKeyText } from "./pg-text.ts";
import type { Projection } from "./projection.ts";
import { projectDispatch } from "./projection.ts";
import { createReportDelaySums } from "./report-delays.ts";
import { createRevisionSums } from "./revision-sums.ts";
import { addCounts, rollupCountsOf } from "./rollup-counts.ts";
import { createSpendSums } from "./spend-sums.ts";
import type { BucketSums, ProjectedRecord, SessionSums } from "./tables.ts";

export function toProjectedRecord(record: DispatchRecord, isGate: boolean): ProjectedRecord {
  const own = projectDispatch(record);
  const hooks = toHookRows(record);
  const decision = own.decision ?? silentCallOf({ record, projection: own, isGate, hooks });
  return {
    record,
    projection: { ...own, decision },
    isGate,
    client: clientOf(record.input),
    request: record.delivery?.eventId ?? record.id,
    occurredAt: record.occurredAt.toISOString(),
    agentName: indexKeyText(record.agentName),
    judges: toJudgeRows(record),
    hooks,
  };
}

/** False for records that are in the log only: the calls of drills. */
export const isCounted = ({ record }: ProjectedRecord): boolean => record.isDrill !== true;

export type Sums = ReturnType<ReturnType<typeof createSums>["result"]>;

/** Sums that entries are added to; they hold a cell for each bucket and session, and no entry. */
export function createSums() {
  const sessions = new Map<string, SessionSums>();
  const minutes = new Map<string, BucketSums>();
  const judges = createJudgeSums();
  const hooks = createHookSums();
  const revisions = createRevisionSums();
  const reports = createReportDelaySums();
  const spend = createSpendSums();
  function add(entry: ProjectedRecord): void {
    if (!isCounted(entry)) return;
    const counts = rollupCountsOf(entry);
    const { workspaceId, agentId } = entry.record;
    const { agentName, occurredAt } = entry;
    const modelId = entry.projection.call?.modelId ?? "";
    addBucket(minutes, { workspaceId, bucket: `${occurredAt.slice(0, 16)}:00Z`, agentId, agentName, modelId, counts });
    if (entry.projection.sessionId !== "") addCounts(sessionOf(sessions, entry).counts, counts);
    judges.add(entry);
    hooks.add(entry);
    revisions.add(entry);
    reports.add(entry);
    spend.add(entry, counts);
  }
  /** Each list sorted by its key, so that concurrent batches lock rows in one order. */
  function result() {
    const hours = new Map<string, BucketSums>();
    const days = new Map<string, BucketSums>();
    for (const sums of minutes.values()) addBucket(hours, { ...sums, bucket: `${sums.bucket.slice(0, 13)}:00:00Z` });
    for (const sums of hours.values()) addBucket(days, { ...sums, bucket: `${sums.bucket.slice(0, 10)}T00:00:00Z` });
    return {
      sessions: sorted(sessions),
      minutes: sorted(minutes),
      hours: sorted(hours),
      days: sorted(days),
      judges: judges.result(),
      hooks: hooks.result(),
      revisions: revisions.result(),
      reports: reports.result(),
      spend: spend.result(),
    };
  }
  /** `addJudges`: for judges of policies in shadow mode. */
  return { add, addJudges: judges.add, result };
}

export function sumRecords(entries: readonly ProjectedRecord[]): Sums {
  const sums = createSums();
  for (const entry of entries) sums.add(entry);
  return sums.result();
}

// No text that is recorded holds this character: `pgText` writes it as its escape.
const BETWEEN = "\0";

function addBucket(into: Map<string, BucketSums>, more: BucketSums): void {
  const { workspaceId, bucket, agentId, agentName, modelId, counts } = more;
  const key = workspaceId + BETWEEN + bucket + BETWEEN + agentId + BETWEEN + agentName + BETWEEN + modelId;
  const sums = into.get(key);
  if (sums) addCounts(sums.counts, counts);
  else into.set(key, { ...more, counts: { ...counts } });
}

function sessionOf(into: Map<string, SessionSums>, entry: ProjectedRecord): SessionSums {
  const { workspaceId, agentId, event } = entry.record;
  const { sessionId, parentSessionId, detail }: Projection = entry.projection;
  const at = entry.occurredAt;
  const key = workspaceId + BETWEEN + agentId + BETWEEN + sessionId;
  let sums = into.get(key);
  if (!sums) {
    const unended = { parentSessionId: null, endAt: null, endReason: null };
    sums = {
      workspaceId,
      agentId,
      agentName: entry.agentName,
      sessionId,
      firstAt: at,
      lastAt: at,
      ...unended,
      turns: 0,
      counts: {},
    };
    into.set(key, sums);
  }
  if (event === "turn_start") sums.turns += 1;
  // The row does not depend on the order in which events arrive: of two values for one instant, and of two parents, the
  // lesser text counts. The table's tail merges stored rows by the same rules.
  if (at < sums.firstAt || (at === sums.firstAt && lesser(entry.agentName, sums.agentName) === entry.agentName))
    sums.agentName = entry.agentName;
  if (at < sums.firstAt) sums.firstAt = at;
  if (at > sums.lastAt) sums.lastAt = at;
  if (event === "subagent_stop" && parentSessionId !== null)
    sums.parentSessionId = lesser(sums.parentSessionId, parentSessionId);
  if (event === "session_end" && (sums.endAt === null || at >= sums.endAt)) {
    const reason = detail === null ? null : indexKeyText(detail);
    sums.endReason = sums.endAt === at ? lesser(sums.endReason, reason) : reason;
    sums.endAt = at;
  }
  return sums;
}

/** The lesser of those that are there, in PostgreSQL's order of bytes. */
function lesser(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) <= 0 ? a : b;
}

function sorted<T>(sums: Map<string, T>): T[] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
