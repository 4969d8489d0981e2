/** The number of policies in force that no call reached. */
import type { Pool } from "../platform/db.ts";

/**
 * Counts policies that bind an agent and were in force before the window, if none of their hooks was selected in the
 * window's hours.
 */
export async function countUnreached(
  pool: Pool,
  workspaceId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<bigint> {
  const text = `SELECT count(*) FROM policy JOIN policy_revision AS revision
      ON revision.workspace_id = policy.workspace_id AND revision.policy_id = policy.id AND revision.number = policy.live_revision
    WHERE policy.workspace_id = $1 AND policy.live_revision > 0 AND revision.created_at <= $2 AND revision.hooks <> '{}'::jsonb
      AND EXISTS (SELECT 1 FROM assignment
        WHERE assignment.workspace_id = policy.workspace_id AND assignment.policy_id = policy.id
          AND EXISTS (SELECT 1 FROM agent WHERE agent.workspace_id = $1 AND agent.retired_at IS NULL
            AND (assignment.scope = 'workspace' OR agent.id = assignment.target_id OR assignment.tag = ANY(agent.tags) OR EXISTS (
              SELECT 1 FROM agent_audience AS audience WHERE audience.workspace_id = $1 AND audience.scope = assignment.scope
                AND audience.target_id = assignment.target_id AND audience.agent_id = agent.id))))
      AND NOT EXISTS (SELECT 1 FROM hook_hour WHERE hook_hour.workspace_id = $1 AND hook_hour.policy = policy.name
        AND hook_hour.bucket >= date_trunc('hour', $2::timestamptz, 'UTC') AND hook_hour.bucket < $3)`;
  const { rows } = await pool.query<{ count: string }>(text, [workspaceId, from, to]);
  return BigInt(rows[0]?.count ?? 0);
}
