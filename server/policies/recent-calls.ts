/** The tools and lanes of agents' latest calls, from the record. */
import type { Pool } from "pg";
import type { RecentCalls } from "./unheld-agents.ts";

/** The newest calls that are read. */
const CALLS_MAX = 5_000;
const GROUPS_MAX = 2_000;
const DAYS_MS = 7 * 24 * 3_600_000;

interface CallRow {
  readonly agent_id: string;
  readonly tool_name: string;
  readonly lane: string;
  readonly last: Date;
}

/** By agent; of `agentIds` alone where they are given. Drills and reports are no calls that a rule could stop. */
export async function listRecentCalls(
  pool: Pool,
  workspaceId: string,
  agentIds: readonly string[] | null = null,
  nowMs = Date.now(),
): Promise<ReadonlyMap<string, RecentCalls>> {
  const { rows } = await pool.query<CallRow>({
    name: "recent_calls",
    text: `SELECT agent_id, tool_name, lane, max(occurred_at) AS last FROM (
             SELECT agent_id, tool_name, lane, occurred_at FROM dispatch
             WHERE workspace_id = $1 AND occurred_at >= $2 AND event = 'pre_tool_use' AND origin = 'dispatch'
               AND tool_name IS NOT NULL AND (facts IS NULL OR position('"drill":true' IN facts) = 0)
               AND ($3::uuid[] IS NULL OR agent_id = ANY($3::uuid[]))
             ORDER BY occurred_at DESC, id DESC LIMIT ${CALLS_MAX}
           ) AS newest GROUP BY agent_id, tool_name, lane ORDER BY last DESC LIMIT ${GROUPS_MAX}`,
    values: [workspaceId, new Date(nowMs - DAYS_MS), agentIds],
  });
  const byAgent = new Map<string, { tools: Set<string>; lastMsByLane: Record<string, number> }>();
  for (const { agent_id, tool_name, lane, last } of rows) {
    const known = byAgent.get(agent_id) ?? { tools: new Set<string>(), lastMsByLane: {} };
    byAgent.set(agent_id, known);
    known.tools.add(tool_name);
    known.lastMsByLane[lane] = Math.max(known.lastMsByLane[lane] ?? 0, last.getTime());
  }
  return new Map([...byAgent].map(([id, { tools, lastMsByLane }]) => [id, { tools: [...tools], lastMsByLane }]));
}

interface CalledTool {
  readonly name: string;
  readonly count: number;
}

/** The tools of the newest calls since `from`. A call that was asked about through both lanes is one. */
export async function listCalledTools(pool: Pool, workspaceId: string, from: Date): Promise<CalledTool[]> {
  const { rows } = await pool.query<CalledTool>({
    name: "called_tools",
    text: `SELECT tool_name AS name,
             greatest(count(*) FILTER (WHERE lane = 'default'), count(*) FILTER (WHERE lane <> 'default'))::int AS count
           FROM (
             SELECT tool_name, lane FROM dispatch
             WHERE workspace_id = $1 AND occurred_at >= $2 AND event = 'pre_tool_use' AND tool_name <> ''
               AND (facts IS NULL OR position('"drill":true' IN facts) = 0)
             ORDER BY occurred_at DESC, id DESC LIMIT ${CALLS_MAX}
           ) AS newest GROUP BY tool_name ORDER BY count DESC, name LIMIT ${GROUPS_MAX}`,
    values: [workspaceId, from],
  });
  return rows;
}
