/** The entry of a stored row, or the reason why there is no entry. */
import { dispatchFacts, entryFromFacts, type FactsRow, type ProjectedRecord } from "../recording/index.ts";
import type { LogRow } from "./log-queries.ts";

export type ReadEntry = { readonly entry: ProjectedRecord } | "older" | "unreadable";

export function readEntry(workspaceId: string, row: LogRow): ReadEntry {
  if (row.facts === null) return "older";
  try {
    return { entry: entryFromFacts(columnsOf(workspaceId, row), dispatchFacts.parse(JSON.parse(row.facts))) };
  } catch {
    return "unreadable";
  }
}

function columnsOf(workspaceId: string, row: LogRow): FactsRow {
  return {
    id: row.id,
    workspaceId,
    agentId: row.agent_id,
    agentName: row.agent_name,
    occurredAt: new Date(row.at),
    receivedAt: row.received_at,
    sessionId: row.session_id,
    event: row.event,
    lane: row.lane,
    // Holds for rows of the recorder; figures treat any other text as an unknown origin.
    origin: row.origin as FactsRow["origin"],
    verdict: row.verdict as FactsRow["verdict"],
    revision: row.revision,
    toolName: row.tool_name,
    toolUseId: row.tool_use_id,
    toolError: row.tool_error,
  };
}
