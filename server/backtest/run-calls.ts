/** The recorded calls of a backtest, read backwards in chunks. */
import type { Pool } from "../platform/db.ts";
import { listSetMarks } from "../session-marks/index.ts";
import type { ReplayRow } from "./replay-row.ts";

export interface CallRange {
  readonly events: readonly string[];
  readonly from: Date;
  /** Calls at and after this instant are not read. */
  readonly to: Date;
}

/** The last call that was read. */
export interface CallCursor {
  readonly at: Date;
  readonly id: string;
}

const RANGE = "event = ANY($2::text[]) AND occurred_at >= $3 AND occurred_at < $4";
/** The code of PostgreSQL for a statement that took too long. */
const CANCELED = "57014";
/** Dispatches that show which agents ask through the early lane, the newest. */
const LOOKED_AT_MAX = 20_000;
/** An early check comes at most this long before the call. */
const EARLY_MS = 3_600_000;

/** The number of calls; null if counting takes too long. */
export async function countCalls(pool: Pool, workspaceId: string, range: CallRange, limit: number | null) {
  try {
    const { rows } = await pool.query<{ count: number }>({
      name: "backtest_count",
      text: `SELECT count(*)::float8 AS count FROM (SELECT FROM dispatch WHERE workspace_id = $1 AND ${RANGE} LIMIT $5) AS found`,
      values: [workspaceId, range.events, range.from, range.to, limit],
    });
    return rows[0]?.count ?? 0;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === CANCELED) return null;
    throw error;
  }
}

/** The agents that asked through the early lane recently. */
export async function listEarlyAgents(pool: Pool, workspaceId: string, range: CallRange): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ agent_id: string }>({
    name: "backtest_early_agents",
    text: `SELECT DISTINCT agent_id FROM (SELECT agent_id, lane FROM dispatch WHERE workspace_id = $1 AND ${RANGE}
             ORDER BY occurred_at DESC, id DESC LIMIT ${LOOKED_AT_MAX}) AS recent WHERE lane = 'preempt_yolo'`,
    values: [workspaceId, range.events, range.from, range.to],
  });
  return new Set(rows.map(({ agent_id }) => agent_id));
}

/** The columns of a call, as `completeCalls` takes them. */
export const CALL_COLUMNS = `occurred_at AS at, id, agent_id AS "agentId", agent_name AS "agentName", session_id AS "sessionId", event, lane,
  tool_name AS "toolName", tool_use_id AS "toolUseId", CASE WHEN erased_at IS NULL THEN input END AS input`;

export interface CallRow {
  readonly at: Date;
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly event: string;
  readonly lane: string;
  readonly toolName: string | null;
  readonly toolUseId: string | null;
  readonly input: string | null;
}

/** True for a stored call of a client with its own hooks. */
function hasDialect(input: string): boolean {
  const at = input.indexOf('"ext":{');
  return at !== -1 && input.includes('"dialect":"', at);
}

export interface CallContext {
  readonly earlyAgents: ReadonlySet<string>;
  /** The marks that rules ask for. */
  readonly marks: readonly string[];
}

export interface CallQuery extends CallRange, CallContext {
  readonly after: CallCursor | null;
  readonly limit: number;
}

/** The next calls after the cursor, the newest first. */
export async function listCalls(pool: Pool, workspaceId: string, asked: CallQuery): Promise<ReplayRow[]> {
  const { events, from, to, after, limit } = asked;
  const before = after === null ? "" : "AND (occurred_at, id) < ($6, $7)";
  const { rows } = await pool.query<CallRow>({
    name: after === null ? "backtest_calls_first" : "backtest_calls_next",
    text: `SELECT ${CALL_COLUMNS}
           FROM dispatch WHERE workspace_id = $1 AND ${RANGE} ${before} ORDER BY occurred_at DESC, id DESC LIMIT $5`,
    values: [workspaceId, events, from, to, limit, ...(after === null ? [] : [after.at, after.id])],
  });
  return completeCalls(pool, workspaceId, rows, asked);
}

/** These calls, as far as they are still stored. */
export async function listCallsByKey(
  pool: Pool,
  workspaceId: string,
  keys: readonly CallCursor[],
  asked: CallContext,
): Promise<ReplayRow[]> {
  const { rows } = await pool.query<CallRow>({
    name: "backtest_calls_by_key",
    text: `SELECT ${CALL_COLUMNS} FROM dispatch WHERE workspace_id = $1
             AND (occurred_at, id) IN (SELECT * FROM unnest($2::timestamptz[], $3::uuid[])) ORDER BY occurred_at DESC, id DESC`,
    values: [workspaceId, keys.map(({ at }) => at), keys.map(({ id }) => id)],
  });
  return completeCalls(pool, workspaceId, rows, asked);
}

/** Adds what other records say of each call: its early lane, and the marks of its session. */
export async function completeCalls(
  pool: Pool,
  workspaceId: string,
  rows: readonly CallRow[],
  { earlyAgents, marks }: CallContext,
): Promise<ReplayRow[]> {
  const early = earlyAgents.size === 0 ? new Set<string>() : await listEarlyCalls(pool, workspaceId, rows);
  const marksOf = await marksBySession(pool, workspaceId, rows, marks);
  return rows.map((row) => ({
    id: row.id,
    atMs: row.at.getTime(),
    agentId: row.agentId,
    agentName: row.agentName,
    sessionId: row.sessionId,
    event: row.event,
    lane: row.lane,
    tool_name: row.toolName,
    input: row.input,
    has_early: early.size > 0 && row.toolUseId !== null && early.has(callKey(row)),
    asks_early: earlyAgents.has(row.agentId) || hasDialect(row.input ?? ""),
    marks: marksOf(row.sessionId),
  }));
}

const NO_MARKS: Readonly<Record<string, number>> = {};

const callKey = ({ agentId, sessionId, toolUseId }: Pick<CallRow, "agentId" | "sessionId" | "toolUseId">) =>
  JSON.stringify([agentId, sessionId, toolUseId]);

/** The calls of these rows that were recorded in the early lane too. */
async function listEarlyCalls(pool: Pool, workspaceId: string, rows: readonly CallRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const instants = rows.map(({ at }) => at.getTime());
  const [oldestMs, newestMs] = [instants.reduce((a, b) => Math.min(a, b)), instants.reduce((a, b) => Math.max(a, b))];
  const found = await pool.query<Pick<CallRow, "agentId" | "sessionId" | "toolUseId">>({
    name: "backtest_early_calls",
    text: `SELECT agent_id AS "agentId", session_id AS "sessionId", tool_use_id AS "toolUseId" FROM dispatch
           WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at <= $3 AND lane = 'preempt_yolo' AND tool_use_id IS NOT NULL`,
    values: [workspaceId, new Date(oldestMs - EARLY_MS), new Date(newestMs)],
  });
  return new Set(found.rows.map(callKey));
}

async function marksBySession(pool: Pool, workspaceId: string, rows: readonly CallRow[], marks: readonly string[]) {
  const bySession = new Map<string, Record<string, number>>();
  const sessions = marks.length === 0 ? [] : [...new Set(rows.map(({ sessionId }) => sessionId).filter(Boolean))];
  const found = sessions.length === 0 ? [] : await listSetMarks(pool, workspaceId, sessions, marks);
  for (const { sessionId, mark, setAtMs } of found)
    bySession.set(sessionId, { ...bySession.get(sessionId), [mark]: setAtMs });
  return (sessionId: string) => bySession.get(sessionId) ?? NO_MARKS;
}
