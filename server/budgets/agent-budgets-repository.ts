/** The budgets that one agent spends from, with their use in the current period. */
import type { Pool } from "../platform/db.ts";
import { countsForPersonSql } from "./counts-sql.ts";

export interface AgentBudgetRow {
  readonly name: string;
  readonly scope: string;
  readonly target: string;
  readonly period: string;
  readonly isHard: boolean;
  /** Nano-dollars, as digits. */
  readonly amount: string;
  readonly used: string;
}

const LISTED_MAX = 200;

interface AskedBudgets {
  readonly agentId: string;
  /** "" without a session. */
  readonly sessionId: string;
  /** The principal that the agent works for; null if it is not known. */
  readonly person: string | null;
  readonly now: Date;
}

/** Those for each session only where one is named. */
export async function listAgentBudgets(
  pool: Pool,
  workspaceId: string,
  { agentId, sessionId, person, now }: AskedBudgets,
): Promise<readonly AgentBudgetRow[]> {
  const { rows } = await pool.query<AgentBudgetRow>({
    name: "budgets_of_agent",
    text: `SELECT budget.name, budget.scope, budget.target, budget.period, budget.is_hard AS "isHard", budget.amount_nano::text AS amount,
             coalesce(account.spent_nano + account.assumed_nano + account.held_nano, 0)::text AS used
           FROM budget
           CROSS JOIN LATERAL (SELECT quarterdeck_budget_period(budget.period,
             (SELECT quarterdeck_day_of($1, $4::timestamptz))) AS day) AS start
           LEFT JOIN budget_account AS account ON account.workspace_id = budget.workspace_id AND account.budget_id = budget.id
             AND account.period_start = start.day
             AND account.subject = CASE budget.scope WHEN 'session' THEN $2::text || ' ' || $3::text ELSE '' END
           WHERE budget.workspace_id = $1
             AND CASE budget.scope
               WHEN 'agent' THEN budget.target = $2::text
               WHEN 'group' THEN EXISTS (SELECT FROM agent_group_member AS member
                 WHERE member.workspace_id = budget.workspace_id AND member.agent_id::text = $2::text
                   AND member.group_id::text = budget.target)
               WHEN 'person' THEN ${countsForPersonSql("$1::uuid", "$5::uuid")}
               WHEN 'sign_on_group' THEN ${countsForPersonSql("$1::uuid", "$5::uuid")}
               WHEN 'session' THEN $3::text <> ''
               ELSE true END
           ORDER BY budget.name LIMIT ${LISTED_MAX}`,
    values: [workspaceId, agentId, sessionId, now, person],
  });
  return rows;
}
