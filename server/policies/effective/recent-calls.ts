/** The tools and lanes of agents' latest calls, and their other events, from the record. */
import type { Pool } from "pg";
import type { HeardEvents, RecentCalls } from "./unheld-agents.ts";

/** The newest records that are read. A limit on those that match would read a week of records where none does. */
const RECORDS_MAX = 10_000;
const GROUPS_MAX = 2_000;
const NO_DRILL = `(facts IS NULL OR position('"drill":true' IN facts) = 0)`;
const DAYS_MS = 7 * 24 * 3_600_000;

interface CallRow {
  readonly agent_id: string;
  readonly tool_name: string;
  readonly lane: string;
  readonly last: Date;
}

/**
 * The recent calls by agent among the workspace's newest records, for all agents or only `agentIds`. Drills and reports are left out, because no rule could
 * stop them.
 */
export async function listRecentCalls(
  pool: Pool,
  workspaceId: string,
  agentIds: readonly string[] | null = null,
  nowMs = Date.now(),
): Promise<ReadonlyMap<string, RecentCalls>> {
  const range = [workspaceId, new Date(nowMs - DAYS_MS), agentIds];
  const [callsById, heardById] = await Promise.all([listCalls(pool, range), listHeardEvents(pool, range)]);
  return new Map(
    [...new Set([...callsById.keys(), ...heardById.keys()])].map((id) => {
      const { tools = new Set<string>(), lastMsByLane = {} } = callsById.get(id) ?? {};
      return [id, { tools: [...tools], lastMsByLane, heard: heardById.get(id) ?? null }];
    }),
  );
}

interface HeardRow {
  readonly agent_id: string;
  readonly first: Date;
  readonly last: Date;
  readonly asked: Date | null;
  readonly ran: Date | null;
  readonly is_cut: boolean;
}

/** The newest events of each kind, including reports: a client that asks no gate may still report. */
async function listHeardEvents(pool: Pool, range: readonly unknown[]): Promise<ReadonlyMap<string, HeardEvents>> {
  const { rows } = await pool.query<HeardRow>({
    name: "heard_events",
    text: `WITH newest AS (
             SELECT agent_id, event, origin, facts, occurred_at FROM dispatch
             WHERE workspace_id = $1 AND occurred_at >= $2 ORDER BY occurred_at DESC, id DESC LIMIT ${RECORDS_MAX}
           )
           SELECT agent_id, min(occurred_at) AS first, max(occurred_at) AS last,
             max(occurred_at) FILTER (WHERE event = 'pre_tool_use' AND origin = 'dispatch') AS asked,
             max(occurred_at) FILTER (WHERE event = 'post_tool_use') AS ran,
             (SELECT count(*) FROM newest) = ${RECORDS_MAX} AS is_cut
           FROM newest WHERE ($3::uuid[] IS NULL OR agent_id = ANY($3::uuid[])) AND ${NO_DRILL}
           GROUP BY agent_id LIMIT ${GROUPS_MAX}`,
    values: [...range],
  });
  return new Map(
    rows.map(({ agent_id, first, last, asked, ran, is_cut }) => [
      agent_id,
      {
        firstMs: first.getTime(),
        lastMs: last.getTime(),
        lastAskedMs: asked?.getTime() ?? null,
        lastResultMs: ran?.getTime() ?? null,
        isCut: is_cut,
      },
    ]),
  );
}

interface Calls {
  readonly tools: Set<string>;
  readonly lastMsByLane: Record<string, number>;
}

async function listCalls(pool: Pool, range: readonly unknown[]): Promise<ReadonlyMap<string, Calls>> {
  const { rows } = await pool.query<CallRow>({
    name: "recent_calls",
    text: `SELECT agent_id, tool_name, lane, max(occurred_at) AS last FROM (
             SELECT agent_id, tool_name, lane, occurred_at, event, origin, facts FROM dispatch
             WHERE workspace_id = $1 AND occurred_at >= $2 ORDER BY occurred_at DESC, id DESC LIMIT ${RECORDS_MAX}
           ) AS newest
           WHERE event = 'pre_tool_use' AND origin = 'dispatch' AND tool_name IS NOT NULL AND ${NO_DRILL}
             AND ($3::uuid[] IS NULL OR agent_id = ANY($3::uuid[]))
           GROUP BY agent_id, tool_name, lane ORDER BY last DESC LIMIT ${GROUPS_MAX}`,
    values: [...range],
  });
  const byAgent = new Map<string, Calls>();
  for (const { agent_id, tool_name, lane, last } of rows) {
    const known = byAgent.get(agent_id) ?? { tools: new Set<string>(), lastMsByLane: {} };
    byAgent.set(agent_id, known);
    known.tools.add(tool_name);
    known.lastMsByLane[lane] = Math.max(known.lastMsByLane[lane] ?? 0, last.getTime());
  }
  return byAgent;
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
             SELECT tool_name, lane, event, facts FROM dispatch
             WHERE workspace_id = $1 AND occurred_at >= $2 ORDER BY occurred_at DESC, id DESC LIMIT ${RECORDS_MAX}
           ) AS newest WHERE event = 'pre_tool_use' AND tool_name <> '' AND ${NO_DRILL}
           GROUP BY tool_name ORDER BY count DESC, name LIMIT ${GROUPS_MAX}`,
    values: [workspaceId, from],
  });
  return rows;
}
