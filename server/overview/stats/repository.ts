/** Everything stored, grouped by PostgreSQL and read in steps: the one place that reads `dispatch` whole. */

import { type Pool, type PoolClient, transaction } from "../../platform/db.ts";
import { IS_PROJECTED_SQL } from "../../projectors/index.ts";

/** An audit may take its time; a dashboard may not. */
const STATEMENT_MS = 120_000;
const ROWS_PER_FETCH = 2_000;

export interface EventCount {
  readonly session: string;
  readonly event: string;
  readonly tool: string;
  readonly failed: boolean;
  readonly detail: string;
  readonly count: number;
}
export interface DecisionCount {
  readonly session: string;
  readonly tool: string;
  readonly verdict: string;
  readonly source: string;
  readonly count: number;
}
export interface CallSums {
  readonly session: string;
  readonly model: string;
  readonly agent: string;
  readonly calls: number;
  readonly priced: number;
  readonly free: number;
  readonly unpriced: number;
  readonly without_usage: number;
  /** Nano-dollars, and the same sum of the digits as sent. */
  readonly nano: string;
  readonly usd: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly cached_write_tokens: number;
  readonly reasoning_tokens: number;
}
export interface CompactionRow {
  readonly session: string;
  readonly reason: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly context_limit: number;
  readonly summary_bytes: number;
}
export interface SessionRow {
  readonly session: string;
  readonly parent: string | null;
  readonly ended: string | null;
}

/** The stored data as of one instant, for `read`: later commits are not visible. */
export interface Snapshot {
  events(): AsyncGenerator<EventCount>;
  decisions(): AsyncGenerator<DecisionCount>;
  calls(): AsyncGenerator<CallSums>;
  /** Finished ones, in time order. */
  compactions(): AsyncGenerator<CompactionRow>;
  sessions(): AsyncGenerator<SessionRow>;
}

export function snapshot<T>(pool: Pool, workspaceId: string, read: (stored: Snapshot) => Promise<T>): Promise<T> {
  return transaction(pool, async (client) => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(`SET LOCAL statement_timeout = ${STATEMENT_MS}`);
    const rows = <Row extends object>(sql: string) => fetchAll<Row>(client, sql, workspaceId);
    return read({
      events: () => rows<EventCount>(EVENTS),
      decisions: () => rows<DecisionCount>(DECISIONS),
      calls: () => rows<CallSums>(CALLS),
      compactions: () => rows<CompactionRow>(COMPACTIONS),
      sessions: () => rows<SessionRow>(SESSIONS),
    });
  });
}

/** Rows through a cursor, so that the groups of a large database are never in memory at once. */
async function* fetchAll<Row extends object>(
  client: PoolClient,
  sql: string,
  workspaceId: string,
): AsyncGenerator<Row> {
  await client.query(patient(`DECLARE stored NO SCROLL CURSOR FOR ${sql}`, [workspaceId]));
  for (;;) {
    const { rows } = await client.query<Row>(patient(`FETCH ${ROWS_PER_FETCH} FROM stored`));
    if (rows.length === 0) break;
    yield* rows;
  }
  await client.query("CLOSE stored");
}

// pg honours a time limit per query; its types do not know yet.
const patient = (text: string, values: unknown[] = []) => ({ text, values, query_timeout: STATEMENT_MS + 500 });

const EVENTS = `
  SELECT session_id AS session, event,
    CASE WHEN event IN ('permission_request', 'post_tool_use', 'tool_response_transform')
      THEN coalesce(tool_name, '') ELSE '' END AS tool,
    tool_error IS TRUE AS failed,
    CASE WHEN event IN ('turn_end', 'session_start', 'session_end', 'notification')
      THEN coalesce(detail, '') ELSE '' END AS detail,
    count(*)::float8 AS count
  FROM dispatch WHERE workspace_id = $1 AND ${IS_PROJECTED_SQL("$1")} GROUP BY 1, 2, 3, 4, 5`;

const DECISIONS = `
  SELECT session_id AS session, tool_name AS tool, verdict, source, count(*)::float8 AS count
  FROM tool_decision WHERE workspace_id = $1 AND kind = 'final' GROUP BY 1, 2, 3, 4`;

const tokens = (name: string) => `coalesce(sum(${name}), 0)::float8 AS ${name}`;
/** As the input said it, without the enrolled agent's name before it. */
const REPORTED_NAME = `CASE WHEN starts_with(agent_name, agent.name || ' / ')
    THEN substr(agent_name, length(agent.name) + 4) ELSE agent_name END`;
const CALLS = `
  SELECT session_id AS session, model_id AS model, ${REPORTED_NAME} AS agent, count(*)::float8 AS calls,
    count(*) FILTER (WHERE cost_usd > 0)::float8 AS priced, count(*) FILTER (WHERE cost_usd = 0)::float8 AS free,
    count(*) FILTER (WHERE cost_usd IS NULL)::float8 AS unpriced,
    count(*) FILTER (WHERE NOT has_usage)::float8 AS without_usage,
    coalesce(sum(cost_nano), 0)::text AS nano, coalesce(sum(cost_usd), 0)::text AS usd,
    ${tokens("input_tokens")}, ${tokens("output_tokens")}, ${tokens("cached_input_tokens")},
    ${tokens("cached_write_tokens")}, ${tokens("reasoning_tokens")}
  FROM llm_call LEFT JOIN agent ON agent.workspace_id = llm_call.workspace_id AND agent.id = agent_id
  WHERE llm_call.workspace_id = $1 GROUP BY 1, 2, 3`;

const COMPACTIONS = `
  SELECT session_id AS session, reason, coalesce(input_tokens, 0)::float8 AS input_tokens,
    coalesce(output_tokens, 0)::float8 AS output_tokens, coalesce(context_limit, 0)::float8 AS context_limit,
    coalesce(summary_bytes, 0)::float8 AS summary_bytes
  FROM compaction WHERE workspace_id = $1 AND event = 'after_compaction' ORDER BY occurred_at, dispatch_id`;

/** A session that two agents' keys spoke of is one session. */
const SESSIONS = `
  SELECT session_id AS session, max(parent_session_id) AS parent,
    (array_agg(last_end_reason ORDER BY last_end_at DESC) FILTER (WHERE last_end_at IS NOT NULL))[1] AS ended
  FROM session WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1`;
