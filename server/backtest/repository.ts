/** Recorded events to run once more. */
import { type Pool, transaction } from "../platform/db.ts";

export const inTransaction: typeof transaction = (pool, work) => transaction(pool, work);

export interface SampleRow {
  occurred_at: Date;
  id: string;
  event: string;
  lane: string;
  tool_name: string | null;
  agent_name: string;
  /** The verdict of everything that was in force when it happened. */
  verdict: string;
  is_decision: boolean;
  /** The same call was recorded in the early lane too. */
  has_early: boolean;
  /** Its agent would ask through the early lane: it did so recently, or its client has one hook for every lane. */
  asks_early: boolean;
  /** Equal for the records of one tool call; null for an event that is no tool call. */
  call: string | null;
}

/** Dispatches that a sample is taken from, the newest. */
const LOOKED_AT_MAX = 20_000;

/** At most `limit` of these events since `from`, the newest of each tool in turn. `agentIds` null: of every agent. */
export async function listSample(
  pool: Pool,
  workspaceId: string,
  of: { readonly events: readonly string[]; readonly agentIds: readonly string[] | null; readonly from: Date },
  limit: number,
): Promise<SampleRow[]> {
  const found = await pool.query<SampleRow>({
    name: "impact_sample_by_call",
    text: `WITH newest AS (
             SELECT occurred_at, id, event, lane, tool_name, agent_name,
               tool_use_id IS NOT NULL AND bool_or(lane = 'preempt_yolo') OVER (PARTITION BY agent_id, session_id, tool_use_id)
                 AS has_early, bool_or(lane = 'preempt_yolo') OVER (PARTITION BY agent_id) AS asked_early FROM (
               SELECT occurred_at, id, event, lane, tool_name, agent_name, agent_id, session_id, tool_use_id FROM dispatch
               WHERE workspace_id = $1 AND occurred_at >= $4 AND event = ANY($2::text[])
                 -- Not the calls of drills. The facts are canonical JSON, where a name in quotes has other bytes.
                 AND (facts IS NULL OR facts NOT LIKE '%"drill":true%')
                 AND ($3::uuid[] IS NULL OR agent_id = ANY($3::uuid[]))
               ORDER BY occurred_at DESC, id DESC LIMIT ${LOOKED_AT_MAX}
             ) AS recent
           ), sample AS (
             SELECT *, row_number() OVER (PARTITION BY event, tool_name ORDER BY occurred_at DESC, id DESC) AS place FROM newest
             ORDER BY place, occurred_at DESC, id DESC LIMIT $5
           )
           SELECT sample.occurred_at, sample.id, sample.event, sample.lane, sample.tool_name, sample.agent_name, sample.has_early,
             CASE WHEN dispatch.tool_use_id IS NOT NULL
               THEN concat_ws(' ', dispatch.agent_id, dispatch.session_id, dispatch.tool_use_id)
               WHEN sample.tool_name IS NOT NULL THEN sample.id::text END AS call, dispatch.verdict, decision.dispatch_id IS NOT NULL AS is_decision,
             sample.asked_early OR dispatch.input LIKE '%"ext":{%"dialect":"%' AS asks_early
           FROM sample JOIN dispatch ON dispatch.workspace_id = $1 AND dispatch.occurred_at = sample.occurred_at AND dispatch.id = sample.id
           LEFT JOIN tool_decision AS decision
             ON decision.workspace_id = $1 AND decision.occurred_at = sample.occurred_at AND decision.dispatch_id = sample.id
           ORDER BY sample.place, sample.occurred_at DESC, sample.id DESC`,
    values: [workspaceId, of.events, of.agentIds, of.from, limit],
  });
  return found.rows;
}

/** The input of one, masked as it is stored. Null if it was dropped in the meantime. */
export async function findInput(
  pool: Pool,
  workspaceId: string,
  key: { readonly occurred_at: Date; readonly id: string },
): Promise<string | null> {
  const found = await pool.query<{ input: string }>({
    name: "impact_input",
    text: "SELECT input FROM dispatch WHERE occurred_at = $2 AND id = $3 AND workspace_id = $1",
    values: [workspaceId, key.occurred_at, key.id],
  });
  return found.rows[0]?.input ?? null;
}
