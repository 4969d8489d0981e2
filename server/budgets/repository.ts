/** SQL for budgets, their refusals and crossed thresholds, and their display names. */
import type { Pool, Tx } from "../platform/db.ts";
import { countsForPersonSql } from "./counts-sql.ts";
import type { Scope } from "./schema.ts";

export const LISTED_MAX = 200;

export function list(tx: Tx, workspaceId: string) {
  return tx.budget.findMany({ where: { workspaceId }, orderBy: [{ name: "asc" }], take: LISTED_MAX });
}

export function count(tx: Tx, workspaceId: string): Promise<number> {
  return tx.budget.count({ where: { workspaceId } });
}

export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.budget.findFirst({ where: { workspaceId, id } });
}

export interface Settings {
  readonly name: string;
  readonly amountNano: bigint;
  readonly reserveNano: bigint | null;
  readonly thresholds: readonly number[];
  readonly isHard: boolean;
  readonly unpriced: string;
}

export interface NewBudget extends Settings {
  readonly scope: string;
  readonly target: string;
  readonly period: string;
}

/** False when the name is taken, also by a budget in a concurrent transaction. */
export async function insert(tx: Tx, workspaceId: string, id: string, budget: NewBudget, by: string): Promise<boolean> {
  const data = [{ ...budget, thresholds: [...budget.thresholds], workspaceId, id, createdBy: by, updatedBy: by }];
  return (await tx.budget.createMany({ data, skipDuplicates: true })).count === 1;
}

export async function isNameTaken(tx: Tx, workspaceId: string, name: string, exceptId: string): Promise<boolean> {
  return (await tx.budget.count({ where: { workspaceId, name, id: { not: exceptId } } })) > 0;
}

/** False when its version has changed. */
export async function update(
  tx: Tx,
  workspaceId: string,
  { id, version }: { readonly id: string; readonly version: number },
  { thresholds, ...settings }: Settings,
  by: string,
): Promise<boolean> {
  const data = {
    ...settings,
    thresholds: [...thresholds],
    version: version + 1,
    updatedAt: new Date(),
    updatedBy: by,
  };
  return (await tx.budget.updateMany({ where: { workspaceId, id, version }, data })).count === 1;
}

export async function remove(tx: Tx, workspaceId: string, id: string, version: number): Promise<boolean> {
  return (await tx.budget.deleteMany({ where: { workspaceId, id, version } })).count === 1;
}

export async function findTargetName(tx: Tx, workspaceId: string, scope: string, id: string): Promise<string | null> {
  const where = { workspaceId, id };
  // Locked, so that it is not removed before the budget is there.
  if (scope === "agent")
    await tx.$queryRaw`SELECT id FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR KEY SHARE`;
  const row = scope === "agent" ? await tx.agent.findFirst({ where }) : await tx.agentGroup.findFirst({ where });
  return row?.name ?? null;
}

/** Serialises changes of budgets, so that none waits for another's name while it holds the audit head. */
export async function lockBudgets(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('budgets ' || ${workspaceId}, 0))`;
}

export interface RefusalRow {
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly agent_name: string;
  readonly session_id: string;
  readonly excerpt: string;
  readonly reason: string;
}

/** Model calls that were refused lately with a reason that contains `words`: the newest, among the last `searched`. */
export async function listRefusals(
  pool: Pool,
  workspaceId: string,
  words: string,
  { searched, limit }: { readonly searched: number; readonly limit: number },
): Promise<readonly RefusalRow[]> {
  const source = "before_llm_call_hook_deny";
  const found = await pool.query<RefusalRow>({
    name: "budgets_refusals",
    text: `SELECT occurred_at, dispatch_id, agent_name, session_id, excerpt, reason
           FROM (SELECT * FROM tool_decision WHERE workspace_id = $1 AND source::name = $2::name AND source = $2
                 ORDER BY occurred_at DESC, dispatch_id DESC LIMIT $4) AS newest
           WHERE position($3 IN reason) > 0 ORDER BY occurred_at DESC, dispatch_id DESC LIMIT $5`,
    values: [workspaceId, source, words, searched, limit],
  });
  return found.rows;
}

export interface AlertRow {
  readonly threshold: number;
  readonly period_start: string;
  readonly subject: string;
  readonly at: Date;
  readonly used_nano: string;
  readonly amount_nano: string;
}

export async function listAlerts(
  pool: Pool,
  workspaceId: string,
  budgetId: string,
  limit: number,
): Promise<readonly AlertRow[]> {
  const found = await pool.query<AlertRow>({
    name: "budgets_alerts",
    text: `SELECT threshold, period_start::text AS period_start, subject, at, used_nano, amount_nano FROM budget_alert
           WHERE workspace_id = $1 AND budget_id = $2 ORDER BY period_start DESC, at DESC, threshold DESC LIMIT $3`,
    values: [workspaceId, budgetId, limit],
  });
  return found.rows;
}

/** Names of these agents. */
export function listAgentNames(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return tx.agent.findMany({ where: { workspaceId, id: { in: [...ids] } }, select: { id: true, name: true } });
}

/** Agents that are not retired, by name. */
export function listUnretiredAgents(tx: Tx, workspaceId: string) {
  return tx.agent.findMany({
    where: { workspaceId, retiredAt: null },
    select: { id: true, name: true, client: true },
    orderBy: { name: "asc" },
  });
}

export function listMembers(tx: Tx, workspaceId: string) {
  return tx.agentGroupMember.findMany({ where: { workspaceId }, select: { groupId: true, agentId: true } });
}

export function listGroups(tx: Tx, workspaceId: string) {
  return tx.agentGroup.findMany({ where: { workspaceId }, select: { id: true, name: true }, orderBy: { name: "asc" } });
}

const MODELS_MAX = 1_000;

/** The calls that are read for the dearest one: the newest. */
const DEAREST_OF = 10_000;
const OF_PEOPLE = (scope: Scope) => `(SELECT ${countsForPersonSql("$1::uuid", "newest.principal_id")}
  FROM (VALUES ('${scope}', $3::text)) AS budget (scope, target))`;
const OF_SCOPE: Readonly<Record<Scope, string>> = {
  workspace: "$3::text IS NOT NULL",
  session: "$3::text IS NOT NULL",
  agent: "agent_id = $3::uuid",
  group: "agent_id IN (SELECT agent_id FROM agent_group_member WHERE workspace_id = $1 AND group_id = $3::uuid)",
  person: OF_PEOPLE("person"),
  sign_on_group: OF_PEOPLE("sign_on_group"),
  model: "model_id = $3",
};

/** Nano-dollars of the dearest call among the newest ones since `from`; null without a priced call. */
export async function findDearest(
  pool: Pool,
  workspaceId: string,
  { scope, target }: { readonly scope: Scope; readonly target: string },
  from: Date,
): Promise<bigint | null> {
  const found = await pool.query<{ nano: string | null }>({
    name: `budgets_dearest_${scope}`,
    text: `SELECT max(cost_nano) FILTER (WHERE ${OF_SCOPE[scope]}) AS nano FROM (
             SELECT agent_id, model_id, principal_id, cost_nano FROM llm_call WHERE workspace_id = $1 AND occurred_at >= $2
             ORDER BY occurred_at DESC, dispatch_id DESC LIMIT ${DEAREST_OF}) AS newest`,
    values: [workspaceId, from, target],
  });
  const nano = found.rows[0]?.nano ?? null;
  return nano === null ? null : BigInt(nano);
}

export async function listModels(pool: Pool, workspaceId: string, from: Date): Promise<readonly string[]> {
  const found = await pool.query<{ model_id: string }>({
    name: "budgets_models",
    text: `SELECT DISTINCT model_id FROM rollup_day WHERE workspace_id = $1 AND bucket >= $2 AND model_id <> ''
           ORDER BY model_id LIMIT ${MODELS_MAX}`,
    values: [workspaceId, from],
  });
  return found.rows.map(({ model_id }) => model_id);
}
