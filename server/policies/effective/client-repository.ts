/** The clients of agents, for what policies mean on them. */
import type { Pool } from "pg";
import type { Tx } from "../../platform/db.ts";

/** The client in an agent's latest event; null if the agent does not exist. */
export function findAgentClient(tx: Tx, workspaceId: string, id: string) {
  return tx.agent.findFirst({ where: { workspaceId, id }, select: { client: true, clientVersion: true } });
}

/**
 * The clients of the active agents that a policy is assigned to, the most frequent first. For a policy without a
 * revision and an assignment, or one that does not exist yet: the clients of all agents, because its first revision
 * binds the workspace.
 */
export async function listClients(pool: Pool, workspaceId: string, policyId: string): Promise<string[]> {
  const found = await pool.query<{ client: string }>({
    name: "policy_clients",
    text: `SELECT client FROM agent
           WHERE workspace_id = $1 AND retired_at IS NULL AND client IS NOT NULL AND (
             EXISTS (SELECT 1 FROM assignment WHERE workspace_id = $1 AND policy_id = $2 AND scope = 'workspace')
             OR (NOT EXISTS (SELECT 1 FROM policy WHERE workspace_id = $1 AND id = $2 AND latest_revision > 0)
               AND NOT EXISTS (SELECT 1 FROM assignment WHERE workspace_id = $1 AND policy_id = $2))
             OR id IN (SELECT target_id FROM assignment WHERE workspace_id = $1 AND policy_id = $2 AND scope = 'agent')
             OR tags && ARRAY(SELECT tag FROM assignment WHERE workspace_id = $1 AND policy_id = $2 AND scope = 'tag')
             OR id IN (SELECT audience.agent_id FROM assignment JOIN agent_audience audience ON audience.workspace_id = $1
                 AND audience.scope = assignment.scope AND audience.target_id = assignment.target_id
               WHERE assignment.workspace_id = $1 AND assignment.policy_id = $2))
           GROUP BY client ORDER BY count(*) DESC, client`,
    values: [workspaceId, policyId],
  });
  return found.rows.map(({ client }) => client);
}
