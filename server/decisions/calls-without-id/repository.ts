/** Reads the events that may belong to calls without an id. */
import type { Pool } from "../../platform/db.ts";
import type { UnnamedEvent } from "./pair-results.ts";

export interface UnnamedCall {
  readonly agentId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly at: Date;
}

/** More events around a call are of a busy session; its result is not looked for behind them. */
const EVENTS_MAX = 200;
/** Longer inputs are not compared. */
const INPUT_BYTES_MAX = 256 * 1024;
const EVENTS = `('tool_input_transform', 'tool_guard', 'pre_tool_use', 'permission_request', 'on_tool_approval_decision',
  'post_tool_use')`;

/** PostgreSQL reads no JSON with NUL or half a surrogate pair, which agents may send. */
const readable = (json: string): string =>
  `regexp_replace(${json}, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\ufffd', 'g')::json`;
/** A digest that does not depend on the order of the arguments; a call without arguments has one too. */
const digestOf = (
  object: string,
): string => `(SELECT md5(coalesce(string_agg(to_json(key)::text || ':' || value::text, ','
    ORDER BY key COLLATE "C"), '')) FROM json_each(CASE WHEN json_typeof(${object}) = 'object' THEN ${object} ELSE '{}' END))`;
const SENT = digestOf(`${readable("input")} -> 'tool_input'`);
const REPLACED = `${readable("answer")} -> 'hook_specific_output' -> 'updated_input'`;
const COLUMNS = "id, occurred_at, agent_id, session_id, tool_name, tool_use_id, event, lane, verdict, tool_error";
const isShort = (column: string): string => `erased_at IS NULL AND octet_length(${column}) <= ${INPUT_BYTES_MAX}`;

/** The events of these calls and of equal ones around them, in order. Only the calls of one agent, session and tool are compared. */
export async function listUnnamedEvents(
  pool: Pool,
  workspaceId: string,
  calls: readonly UnnamedCall[],
): Promise<readonly UnnamedEvent[]> {
  if (calls.length === 0) return [];
  const near = (condition: string, order: string) => `(SELECT * FROM (
      SELECT ${COLUMNS}, erased_at, input, answer FROM dispatch
      WHERE workspace_id = $1 AND session_id = wanted.session_id AND event IN ${EVENTS} AND ${condition}
      ORDER BY occurred_at ${order}, id ${order} LIMIT ${EVENTS_MAX} + 4 * wanted.calls) AS near
    WHERE agent_id = wanted.agent_id AND tool_name = wanted.tool_name AND tool_use_id IS NULL)`;
  const found = await pool.query<UnnamedEvent>({
    text: `WITH wanted AS (
        SELECT agent_id, session_id, tool_name, min(at) AS first_at, max(at) AS last_at, count(*) AS calls
        FROM unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) AS call (agent_id, session_id, tool_name, at)
        GROUP BY agent_id, session_id, tool_name)
      SELECT id, occurred_at AS "occurredAt", agent_id AS "agentId", session_id AS "sessionId", tool_name AS tool, event, lane,
        verdict, tool_error AS "toolError", CASE WHEN ${isShort("input")} THEN ${SENT} END AS sent,
        CASE WHEN ${isShort("answer")} AND answer LIKE '%updated_input%' THEN ${digestOf(REPLACED)} END AS rewritten
      FROM (SELECT event.* FROM wanted CROSS JOIN LATERAL (
          ${near("occurred_at < wanted.first_at AND occurred_at > wanted.first_at - interval '1 day'", "DESC")}
          UNION ALL
          ${near("occurred_at >= wanted.first_at AND occurred_at < wanted.last_at + interval '1 day'", "ASC")}) AS event
        ) AS found
      ORDER BY occurred_at, id`,
    values: [
      workspaceId,
      calls.map(({ agentId }) => agentId),
      calls.map(({ sessionId }) => sessionId),
      calls.map(({ tool }) => tool),
      calls.map(({ at }) => at),
    ],
  });
  return found.rows;
}
