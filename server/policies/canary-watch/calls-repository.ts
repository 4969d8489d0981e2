/** The calls that a canary is compared by. */
import type { Pool } from "../../platform/db.ts";
import type { CanaryMeasure } from "./limits-schema.ts";

/** The newest calls are compared, at most this many of a workspace. */
const CALLS_MAX = 20_000;
const DECIDING_CALLS_MAX = 10;

export interface CallRange {
  readonly policy: string;
  readonly from: Date;
  readonly to: Date;
  readonly slowMs: number;
}

export interface AgentCountsRow {
  readonly agentId: string;
  readonly calls: number;
  readonly denied: number;
  readonly asked: number;
  readonly failed: number;
  readonly slow: number;
  readonly overturned: number;
}

/**
 * $1 workspace, $2 and $3 the range, $4 the policy's name, $5 microseconds. A call is counted at its last gate. Another
 * event counts only when the policy denied, asked or failed there, or when it was slow. Denials by other policies, halts
 * and budgets count as calls only.
 */
const CALLS_SQL = `WITH newest AS (
    SELECT id, occurred_at, agent_id, verdict, duration_us, event = 'pre_tool_use' AND lane = 'default' AS is_call
    FROM dispatch WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at <= $3 AND revision <> ''
    ORDER BY occurred_at DESC, id DESC LIMIT ${CALLS_MAX}
  ), marked AS (
    SELECT newest.id, newest.occurred_at, newest.agent_id, newest.is_call,
      newest.verdict = 'deny' AND coalesce(own.is_denied OR own.is_failed, false) AS denied,
      coalesce(own.is_asked, false) AS asked, coalesce(own.is_failed, false) AS failed,
      newest.duration_us > $5 AS slow, coalesce(own.is_overturned, false) AS overturned
    FROM newest LEFT JOIN LATERAL (
      SELECT bool_or(outcome = 'denied') AS is_denied, bool_or(outcome = 'asked') AS is_asked,
        bool_or(outcome IN ('failed', 'timed_out')) AS is_failed, bool_or(overturned_at IS NOT NULL) AS is_overturned
      FROM hook_outcome AS hook WHERE hook.workspace_id = $1 AND hook.occurred_at = newest.occurred_at
        AND hook.dispatch_id = newest.id AND hook.policy = $4
    ) AS own ON true
  ), counted AS (SELECT * FROM marked WHERE is_call OR denied OR asked OR failed OR slow OR overturned)`;

const parametersOf = (workspaceId: string, { policy, from, to, slowMs }: CallRange) =>
  [workspaceId, from, to, policy, slowMs * 1_000] as const;

/** The counts of each agent with calls. */
export async function countCallsByAgent(pool: Pool, workspaceId: string, range: CallRange): Promise<AgentCountsRow[]> {
  const { rows } = await pool.query<AgentCountsRow>({
    text: `${CALLS_SQL} SELECT agent_id AS "agentId", count(*)::int AS calls,
        count(*) FILTER (WHERE denied)::int AS denied, count(*) FILTER (WHERE asked)::int AS asked,
        count(*) FILTER (WHERE failed)::int AS failed, count(*) FILTER (WHERE slow)::int AS slow,
        count(*) FILTER (WHERE overturned)::int AS overturned
      FROM counted GROUP BY agent_id`,
    values: [...parametersOf(workspaceId, range)],
  });
  return rows;
}

/** The newest calls of these agents that the measure counts. */
export async function listDecidingCalls(
  pool: Pool,
  workspaceId: string,
  range: CallRange,
  { measure, agentIds }: { readonly measure: CanaryMeasure; readonly agentIds: readonly string[] },
): Promise<{ id: string; at: Date }[]> {
  const { rows } = await pool.query<{ id: string; at: Date }>({
    // A measure is one of a closed list, and the name of its column.
    text: `${CALLS_SQL} SELECT id, occurred_at AS at FROM counted WHERE ${measure} AND agent_id = ANY ($6::uuid[])
      ORDER BY occurred_at DESC, id DESC LIMIT ${DECIDING_CALLS_MAX}`,
    values: [...parametersOf(workspaceId, range), [...agentIds]],
  });
  return rows;
}
