/** The budgets that refuse calls, as stored, and the groups of agents. */
import type { Pool } from "../platform/db.ts";
import type { BudgetColumns } from "./stored-budget.ts";

export interface HardBudgetRow extends BudgetColumns {
  /** True if the budget's agent or person does not exist. */
  readonly isLost: boolean;
}

const UUID = "'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'";

/** The hard budgets, as stored. */
export async function listHard(pool: Pool, workspaceId: string): Promise<readonly HardBudgetRow[]> {
  const found = await pool.query<
    Omit<HardBudgetRow, "amountNano" | "reserveNano"> & {
      readonly amountNano: string;
      readonly reserveNano: string | null;
    }
  >({
    name: "budgets_hard",
    text: `SELECT id, name, scope, target, period, amount_nano AS "amountNano", reserve_nano AS "reserveNano", is_hard AS "isHard", unpriced,
             CASE scope
               WHEN 'agent' THEN NOT EXISTS (SELECT FROM agent WHERE agent.workspace_id = budget.workspace_id
                 AND agent.id = CASE WHEN budget.target ~ ${UUID} THEN budget.target::uuid END)
               WHEN 'person' THEN NOT EXISTS (SELECT FROM principal WHERE principal.workspace_id = budget.workspace_id
                 AND principal.id = CASE WHEN budget.target ~ ${UUID} THEN budget.target::uuid END)
               ELSE false END AS "isLost"
           FROM budget WHERE workspace_id = $1 AND is_hard ORDER BY id`,
    values: [workspaceId],
  });
  return found.rows.map(({ amountNano, reserveNano, ...row }) => ({
    ...row,
    amountNano: BigInt(amountNano),
    reserveNano: reserveNano === null ? null : BigInt(reserveNano),
  }));
}

/** The groups of these agents, by agent. */
export async function listGroupsOf(
  pool: Pool,
  workspaceId: string,
  agents: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await pool.query<{ agent: string; groups: string[] }>({
    name: "budgets_groups_of",
    text: `SELECT agent_id AS agent, array_agg(group_id::text) AS groups FROM agent_group_member
           WHERE workspace_id = $1 AND agent_id = ANY ($2::uuid[]) GROUP BY agent_id`,
    values: [workspaceId, agents],
  });
  return new Map(found.rows.map(({ agent, groups }) => [agent, groups]));
}
