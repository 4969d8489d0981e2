/**
 * The reach of halts among local executors. A halt denies an executor's next gate; while the console does not hear from it, it
 * may go on by its last policy for as long as it states.
 */
import type { Pool } from "../platform/db.ts";
import { type AgentReach, EXECUTOR_STATES, POLICY_DAYS_MAX, REACH_SHOWN } from "./schema.ts";

/** A call is stored up to a minute late, and a call's answer reaches the executor after that. */
const STORED_WITHIN = "interval '2 minutes'";
/** An attestation's time, and the five minutes that the executor's clock may be behind (server/local-executor/policy-cache.ts). */
const AGE_SECONDS_MAX = POLICY_DAYS_MAX * 86_400 + 300;
const AGE_SECONDS = `least(coalesce(executor.policy_age_seconds, ${AGE_SECONDS_MAX}), ${AGE_SECONDS_MAX})`;
const UNTIL = `executor.heard_at + make_interval(secs => ${AGE_SECONDS}) + ${STORED_WITHIN}`;

/**
 * Wider halts answer before narrower ones, so a gate that one as wide denied later says the same of this one: not where a narrower one
 * did, which reached the agent before this one. A halt of a session is followed by its own gates alone.
 */
const WIDTH = (halt: string) => `array_position(ARRAY['workspace', 'group', 'agent'], ${halt}.scope)`;
const FOLLOWED = `executor.halt_id = halt.id
    OR (executor.halted_at > halt.halted_at AND halt.scope <> 'session' AND ${WIDTH("denying")} <= ${WIDTH("halt")})`;
const STATE = `CASE WHEN ${FOLLOWED} THEN 'followed' WHEN executor.heard_at > halt.halted_at THEN 'heard'
    WHEN ${UNTIL} > clock_timestamp() THEN 'not_reachable' ELSE 'expired' END`;

const OF_SCOPE = (join: string, scope: string) => `
    SELECT halt.id AS halt_id, agent.id, agent.name, executor.heard_at, executor.halted_at, ${UNTIL} AS until,
      executor.policy_age_seconds IS NOT NULL AS states_age, ${STATE} AS state
    FROM shown AS halt ${join} JOIN local_executor AS executor ON executor.workspace_id = $1 AND executor.agent_id = agent.id
      LEFT JOIN halt AS denying ON denying.workspace_id = $1 AND denying.id = executor.halt_id
    WHERE agent.retired_at IS NULL AND ($3::uuid IS NULL OR agent.id = $3) AND ${scope}`;
/** Each executor with each halt that reaches it. $2: the halts; $3: the agent, or null for all. */
const REACHED = `shown AS (SELECT * FROM halt WHERE workspace_id = $1 AND resumed_at IS NULL AND id = ANY($2::uuid[])),
  reached AS (${OF_SCOPE("JOIN agent ON agent.workspace_id = $1", "halt.scope = 'workspace'")}
    UNION ALL ${OF_SCOPE(
      `JOIN LATERAL (SELECT agent_id FROM agent_group_member WHERE workspace_id = $1 AND group_id = halt.group_id
         UNION SELECT agent_id FROM halt_kept_agent WHERE workspace_id = $1 AND halt_id = halt.id) AS member ON true
       JOIN agent ON agent.workspace_id = $1 AND agent.id = member.agent_id`,
      "halt.scope = 'group'",
    )}
    UNION ALL ${OF_SCOPE("JOIN agent ON agent.workspace_id = $1 AND agent.id = halt.agent_id", "halt.scope IN ('agent', 'session')")}
  )`;
const RANK = `array_position(ARRAY['${EXECUTOR_STATES.join("', '")}'], state)`;

/** The agents with a local executor that the halts reach: of each halt the first few, worst first. `agentId` null: any. */
export async function listAgentReach(
  pool: Pool,
  workspaceId: string,
  haltIds: readonly string[],
  agentId: string | null,
): Promise<readonly AgentReach[]> {
  if (haltIds.length === 0) return [];
  const { rows } = await pool.query<AgentReach>({
    name: "halts_agent_reach",
    text: `WITH ${REACHED},
      by_state AS (
        SELECT halt_id, id, name, state, count(*)::int AS in_state, max(heard_at) AS heard_at, max(halted_at) AS halted_at,
          max(until) AS until, bool_and(states_age) AS states_age FROM reached GROUP BY halt_id, id, name, state),
      by_agent AS (
        SELECT DISTINCT ON (halt_id, id) *, ${RANK} AS rank, sum(in_state) OVER (PARTITION BY halt_id, id)::int AS executors
        FROM by_state ORDER BY halt_id, id, ${RANK}),
      ranked AS (
        SELECT *, row_number() OVER (PARTITION BY halt_id ORDER BY rank, until DESC, name) AS place,
          count(*) OVER (PARTITION BY halt_id)::int AS agents FROM by_agent)
      SELECT halt_id AS "haltId", id, name, state, executors, in_state AS "inState", heard_at AS "heardAt",
        CASE WHEN state = 'not_reachable' THEN until END AS until, states_age AS "statesAge",
        CASE WHEN state = 'followed' THEN halted_at END AS "followedAt", agents
      FROM ranked WHERE place <= ${REACH_SHOWN} ORDER BY halt_id, place`,
    values: [workspaceId, haltIds, agentId],
  });
  return rows;
}
