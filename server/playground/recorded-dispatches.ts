/** Dispatches as they were recorded, to be run again. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { effectiveSet } from "../policies/index.ts";
import * as rows from "./repository.ts";
import type { DispatchKey, ListRecorded, RecordedInput, RecordedView } from "./schema.ts";

const SHOWN_MAX = 50;
const DAYS_MS = 30 * 24 * 3_600_000;
const EXCERPT_CHARS = 160;

/** The newest of an event, at most 50 of the last 30 days. */
export async function listRecorded(db: Database, workspaceId: string, asked: ListRecorded): Promise<RecordedView[]> {
  // PostgreSQL stores no NUL, so no text with one is ever found.
  const clean = { ...asked, tool: asked.tool.replaceAll("\0", ""), text: asked.text.trim().replaceAll("\0", "") };
  const found = await rows.listRecorded(db.pool, workspaceId, clean, new Date(Date.now() - DAYS_MS), SHOWN_MAX);
  return found.map(viewOf);
}

/** The input of one, masked as it is stored, and what binds its agent now. Errors: `dispatch_not_found`. */
export async function recordedInput(db: Database, workspaceId: string, key: DispatchKey): Promise<RecordedInput> {
  const row = await rows.findRecorded(db.pool, workspaceId, key);
  if (!row) throw new AppError("dispatch_not_found", key.id);
  const { members } = await effectiveSet(db, workspaceId, row.agent_id);
  return {
    ...viewOf(row),
    input: row.input,
    governedBy: members.map(({ policyId, name, number }) => ({ policyId, name, revision: number })),
  };
}

function viewOf(row: rows.RecordedRow): RecordedView {
  return {
    occurredAt: row.occurred_at,
    id: row.id,
    agentId: row.agent_id,
    agentName: row.agent_name,
    event: row.event,
    lane: row.lane,
    tool: row.tool_name ?? "",
    verdict: row.verdict,
    excerpt: excerptOf(row.beginning),
  };
}

/**
 * The part that distinguishes one input from another: the arguments, a prompt or a message, but not the session's
 * details.
 */
function excerptOf(beginning: string): string {
  const telling = /"(?:tool_input|prompt|stop_response|notification_message|reason|source)":\s*(.*)/s.exec(
    beginning,
  )?.[1];
  return truncateText(telling ?? beginning, EXCERPT_CHARS);
}
