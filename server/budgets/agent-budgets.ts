/** The money that one agent has left, for that agent. */
import type { AgentActor } from "../access/actor.ts";
import { periodsAt } from "../calendar/index.ts";
import type { Database } from "../platform/db.ts";
import { principalOfCall } from "../principals/index.ts";
import { formatDollars, indexKeyText } from "../recording/index.ts";
import type { AgentBudgetsQuery, AgentBudgetsView } from "./agent-budget-schema.ts";
import { listAgentBudgets } from "./agent-budgets-repository.ts";
import { period as periodSchema, scope as scopeSchema } from "./schema.ts";

export async function agentBudgets(
  { pool }: Pick<Database, "pool">,
  actor: AgentActor,
  { session_id }: AgentBudgetsQuery,
  now = new Date(),
): Promise<AgentBudgetsView> {
  const { workspaceId, id: agentId } = actor;
  const sessionId = indexKeyText(session_id);
  const person = principalOfCall(actor, { session_id })?.id ?? null;
  const [rows, periods] = await Promise.all([
    listAgentBudgets(pool, workspaceId, { agentId, sessionId, person, now }),
    periodsAt(pool, workspaceId, now),
  ]);
  const budgets = rows.map((row) => {
    const [scope, period] = [scopeSchema.parse(row.scope), periodSchema.parse(row.period)];
    const [amount, used] = [BigInt(row.amount), BigInt(row.used)];
    const left = used < amount ? amount - used : 0n;
    return {
      ...{ name: row.name, scope, period, is_hard: row.isHard, model: scope === "model" ? row.target : null },
      ...{ ends_at: period === "total" ? null : periods[period].to.toISOString() },
      ...{ amount: formatDollars(amount), left: formatDollars(left) },
      ...{ amount_nano: row.amount, used_nano: row.used, left_nano: left.toString() },
    };
  });
  return { budgets };
}
