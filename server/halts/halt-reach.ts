/**
 * The effect of halts on local executors. A halt denies an executor's next gate. An executor without contact to the
 * console may continue with its last policy until that policy is too old.
 */
import type { Pool } from "../platform/db.ts";
import { type HaltReach, REACH_SHOWN } from "./schema.ts";

/** A policy is valid as long as its attestation, so an executor that is silent for longer denies. */
const SILENT_MAX = "interval '30 days'";

const OF_SCOPE = (join: string, scope: string) => `
    SELECT halt.id AS halt_id, halt.halted_at, agent.id, agent.name FROM shown AS halt ${join}
    WHERE agent.retired_at IS NULL AND ($3::uuid IS NULL OR agent.id = $3) AND ${scope}`;
/** Each agent with each halt that reaches it. $2: the halts; $3: the agent, or null for all. */
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

type Waiting = HaltReach["waiting"][number];
interface ReachRow extends Omit<HaltReach, "waiting"> {
  readonly waiting: readonly (Omit<Waiting, "heardAt"> & { readonly heardAt: string })[];
}

/** One line for each halt that reaches a local executor. `agentId` null: of any agent. */
export async function listReach(
  pool: Pool,
  workspaceId: string,
  haltIds: readonly string[],
  agentId: string | null,
): Promise<HaltReach[]> {
  if (haltIds.length === 0) return [];
  const { rows } = await pool.query<ReachRow>({
    name: "halts_reach",
    text: `WITH ${REACHED},
      by_executor AS (
        SELECT halt_id, reached.id AS agent_id, executor.id, name, heard_at, coalesce(followed_at > reached.halted_at, false) AS has_followed
        FROM reached JOIN local_executor AS executor ON executor.workspace_id = $1 AND executor.agent_id = reached.id
        WHERE heard_at > now() - ${SILENT_MAX}),
      ranked AS (
        SELECT *, row_number() OVER (PARTITION BY halt_id, has_followed ORDER BY heard_at DESC, name, id) AS place FROM by_executor)
      SELECT halt_id AS "haltId", count(*)::int AS executors, (count(*) FILTER (WHERE has_followed))::int AS followed,
        coalesce(jsonb_agg(jsonb_build_object('agentId', agent_id, 'executorId', id, 'name', name, 'heardAt', heard_at)
          ORDER BY place)
          FILTER (WHERE NOT has_followed AND place <= ${REACH_SHOWN}), '[]') AS waiting
      FROM ranked GROUP BY halt_id`,
    values: [workspaceId, haltIds, agentId],
  });
  return rows.map((row) => ({
    ...row,
    waiting: row.waiting.map((one) => ({ ...one, heardAt: new Date(one.heardAt) })),
  }));
}
