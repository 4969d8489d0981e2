/** Everything recorded about one tool call, oldest first: by its id, or by its result where the client sends no id. */
import type { Database } from "../platform/db.ts";
import { pairResults } from "./calls-without-id/pair-results.ts";
import { listUnnamedEvents } from "./calls-without-id/repository.ts";
import * as decisions from "./repository.ts";
import type { CallRecordView } from "./schema.ts";

/** The longest time between the records of one tool call: a person may take long to answer. */
const CALL_BEFORE_MS = 24 * 3_600_000;
const CALL_AFTER_MS = 7 * 24 * 3_600_000;

export async function listCallRecords(
  db: Database,
  workspaceId: string,
  row: decisions.DecisionRow,
): Promise<CallRecordView[]> {
  if (row.session_id === "") return [];
  if (row.tool_use_id === null) return listWithoutId(db, workspaceId, row);
  const at = row.occurred_at.getTime();
  const range = { from: new Date(at - CALL_BEFORE_MS), to: new Date(at + CALL_AFTER_MS) };
  const call = { sessionId: row.session_id, toolUseId: row.tool_use_id };
  const rows = await decisions.listOfCall(db.pool, workspaceId, call, range);
  return rows.map((record) => viewOf(record));
}

/** The gates of the call and its result; empty without a result, because then the gates are not known to be of one call. */
async function listWithoutId(db: Database, workspaceId: string, row: decisions.DecisionRow): Promise<CallRecordView[]> {
  const call = { agentId: row.agent_id, sessionId: row.session_id, tool: row.tool_name, at: row.occurred_at };
  const events = await listUnnamedEvents(db.pool, workspaceId, [call]);
  const paired = pairResults(events);
  const result = paired.get(row.dispatch_id);
  if (result === undefined) return [];
  const gates = events.filter(({ id }) => paired.get(id)?.id === result.id);
  const rows = await decisions.listRecords(db.pool, workspaceId, [...gates, result]);
  return rows.map((record) => viewOf(record, record.id === result.id && result.isByOrder));
}

function viewOf(record: decisions.CallRecordRow, isByOrder = false): CallRecordView {
  return {
    occurredAt: record.occurred_at,
    id: record.id,
    event: record.event,
    lane: record.lane,
    origin: record.origin,
    verdict: record.verdict,
    toolError: record.tool_error,
    durationUs: record.duration_us,
    isResponseRewritten: record.is_response_rewritten,
    isByOrder,
    decision:
      record.kind === null || record.decided === null || record.source === null
        ? null
        : { kind: record.kind, verdict: record.decided, source: record.source },
  };
}
