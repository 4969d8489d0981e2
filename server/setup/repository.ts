/** The rows that the setup checklist reads, and the people who dismissed it. Demo data counts as nothing. */
import type { Pool } from "../platform/db.ts";
import { enforcedSql } from "../policies/index.ts";

export interface SetupRow {
  readonly hasAgent: boolean;
  readonly hasPolicy: boolean;
  readonly hasSignIn: boolean;
  readonly admins: number;
  readonly hasCheckpointWebhook: boolean;
  readonly hasDemo: boolean;
  readonly isDismissed: boolean;
}

export async function findSetup(pool: Pool, workspaceId: string, personId: string | null): Promise<SetupRow> {
  const { rows } = await pool.query<SetupRow>({
    name: "setup_checklist",
    text: `SELECT
        EXISTS (SELECT FROM agent WHERE workspace_id = $1 AND NOT is_demo AND retired_at IS NULL
                  AND (last_seen_at IS NOT NULL OR EXISTS (
                    SELECT FROM agent_drill AS drill
                    WHERE drill.workspace_id = $1 AND drill.agent_id = agent.id AND drill.reported_at IS NOT NULL)))
          AS "hasAgent",
        EXISTS (SELECT FROM assignment JOIN policy AS bound
                  ON bound.workspace_id = assignment.workspace_id AND bound.id = assignment.policy_id
                WHERE assignment.workspace_id = $1 AND ${enforcedSql()} AND bound.latest_revision > 0
                  AND NOT bound.is_demo)
          AS "hasPolicy",
        EXISTS (SELECT FROM person_account WHERE person_id = $2::uuid) AS "hasSignIn",
        (SELECT count(*)::float8 FROM membership JOIN person ON person.id = membership.person_id
           WHERE workspace_id = $1 AND role IN ('admin', 'owner') AND (email IS NULL OR email NOT LIKE '%@demo.invalid'))
          AS admins,
        EXISTS (SELECT FROM record_setting WHERE workspace_id = $1 AND webhook_url IS NOT NULL)
          AS "hasCheckpointWebhook",
        EXISTS (SELECT FROM agent WHERE workspace_id = $1 AND is_demo) AS "hasDemo",
        EXISTS (SELECT FROM setup_dismissal WHERE workspace_id = $1 AND person_id = $2::uuid) AS "isDismissed"`,
    values: [workspaceId, personId],
  });
  const [row] = rows;
  if (!row) throw new Error("a query without a table gave no row");
  return row;
}

/** The agents that are not the demo's. */
export async function listOwnAgentIds(pool: Pool, workspaceId: string, limit: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: "setup_own_agents",
    text: "SELECT id FROM agent WHERE workspace_id = $1 AND NOT is_demo AND retired_at IS NULL LIMIT $2",
    values: [workspaceId, limit],
  });
  return rows.map(({ id }) => id);
}

export async function dismiss(pool: Pool, workspaceId: string, personId: string): Promise<void> {
  await pool.query({
    name: "setup_dismiss",
    text: `INSERT INTO setup_dismissal (workspace_id, person_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    values: [workspaceId, personId],
  });
}

export async function restore(pool: Pool, workspaceId: string, personId: string): Promise<void> {
  await pool.query({
    name: "setup_restore",
    text: "DELETE FROM setup_dismissal WHERE workspace_id = $1 AND person_id = $2",
    values: [workspaceId, personId],
  });
}
