/** The demo's rows, which are found and removed by their mark. */
import type { PersonActor } from "../access/actor.ts";
import { role } from "../access/role-schema.ts";
import { auditStatement } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { type Pool, type PoolClient, type Tx, transaction } from "../platform/db.ts";
import { RAISE_SEQUENCE_SQL } from "../policies/index.ts";
import { lockFiguresOnClient } from "../projectors/index.ts";

export function findAgents(tx: Tx, workspaceId: string) {
  return tx.agent.findMany({
    where: { workspaceId, isDemo: true },
    select: { id: true, name: true, tags: true, createdAt: true },
  });
}

export function findPolicies(tx: Tx, workspaceId: string) {
  return tx.policy.findMany({
    where: { workspaceId, isDemo: true },
    select: { id: true, name: true, latestRevision: true },
  });
}

/** Reserved for documentation and tests: no mail and no request reaches it. */
export const DEMO_HOST = "demo.invalid";
export const WEBHOOK_HOST = `hooks.${DEMO_HOST}`;
export const SERVICE_ACCOUNT = "demo-ci";

/** The addresses of the demo's people in the workspace. */
export async function listDemoAddresses(tx: Tx, workspaceId: string): Promise<string[]> {
  const members = await tx.membership.findMany({
    where: { workspaceId, person: { email: { endsWith: `@${DEMO_HOST}` } } },
    select: { person: { select: { email: true } } },
  });
  return members.flatMap(({ person }) => person.email ?? []);
}

/** One of the demo's people as the actor of their own acts; null once they were removed. */
export async function findPerson(tx: Tx, workspaceId: string, mailbox: string): Promise<PersonActor | null> {
  const found = await tx.membership.findFirst({
    where: { workspaceId, person: { email: `${mailbox}@${DEMO_HOST}` } },
    select: { role: true, person: { select: { id: true, name: true } } },
  });
  return found && { kind: "person", workspaceId, ...found.person, role: role.parse(found.role) };
}

export const ENROLMENT_TOKEN = "Demo - build machines";
/** The name of the script that makes the demo. */
export const MAKER = "demo";

export async function hasEnrolmentToken(pool: Pool, workspaceId: string): Promise<boolean> {
  const found = await pool.query({
    name: "demo_enrolment_token",
    text: "SELECT 1 FROM enrolment_token WHERE workspace_id = $1 AND name = $2 AND made_by = $3 LIMIT 1",
    values: [workspaceId, ENROLMENT_TOKEN, MAKER],
  });
  return found.rowCount !== 0;
}

/** The newest approval request of a session of the agent. */
export async function findRequest(pool: Pool, workspaceId: string, agentId: string, sessionId: string) {
  const found = await pool.query<{ id: string; state: string }>({
    name: "demo_request",
    text: `SELECT id, state FROM approval_request WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3
           ORDER BY number DESC LIMIT 1`,
    values: [workspaceId, agentId, sessionId],
  });
  return found.rows[0] ?? null;
}

export async function hasException(pool: Pool, workspaceId: string, agentId: string): Promise<boolean> {
  const found = await pool.query({
    name: "demo_exception",
    text: "SELECT 1 FROM policy_exception WHERE workspace_id = $1 AND agent_id = $2 LIMIT 1",
    values: [workspaceId, agentId],
  });
  return found.rowCount !== 0;
}

export const MODEL_CONNECTION = "demo-model";
export const JUDGE_PROMPT = "demo-messages";

export async function hasConnection(tx: Tx, workspaceId: string): Promise<boolean> {
  return (await tx.modelConnection.count({ where: { workspaceId, name: MODEL_CONNECTION } })) > 0;
}

/** The demo's judge prompt; null before it is made. */
export function findPrompt(tx: Tx, workspaceId: string) {
  return tx.judgePrompt.findFirst({
    where: { workspaceId, name: JUDGE_PROMPT, createdBy: MAKER },
    select: { id: true, latestRevision: true },
  });
}

const JUDGE_CALL = `SELECT dispatch_id AS id, occurred_at AS "occurredAt", place FROM judge_call
  WHERE workspace_id = $1 AND occurred_at > clock_timestamp() - interval '31 days' AND starts_with(label, '${JUDGE_PROMPT}@')`;

/** True if the demo's judge was asked about a call of the last 31 days. */
export async function hasJudgeCall(pool: Pool, workspaceId: string): Promise<boolean> {
  const found = await pool.query({ name: "demo_judge_calls", text: `${JUDGE_CALL} LIMIT 1`, values: [workspaceId] });
  return found.rowCount !== 0;
}

/** The judge's decision in one dispatch. */
export async function findJudgeCall(pool: Pool, workspaceId: string, dispatchId: string) {
  const found = await pool.query<{ id: string; occurredAt: Date; place: number }>({
    name: "demo_judge_call",
    text: `${JUDGE_CALL} AND dispatch_id = $2 LIMIT 1`,
    values: [workspaceId, dispatchId],
  });
  return found.rows[0] ?? null;
}

/** When a call of this hour was recorded; null for an unknown one. */
export async function findDispatchTime(pool: Pool, workspaceId: string, id: string): Promise<Date | null> {
  const found = await pool.query<{ occurredAt: Date }>({
    name: "demo_dispatch_time",
    text: `SELECT occurred_at AS "occurredAt" FROM dispatch
           WHERE workspace_id = $1 AND id = $2 AND occurred_at > clock_timestamp() - interval '1 hour'`,
    values: [workspaceId, id],
  });
  return found.rows[0]?.occurredAt ?? null;
}

export async function hasServiceAccount(tx: Tx, workspaceId: string): Promise<boolean> {
  return (await tx.serviceAccount.count({ where: { workspaceId, name: SERVICE_ACCOUNT } })) > 0;
}

export async function hasAlert(tx: Tx, workspaceId: string, agentId: string): Promise<boolean> {
  return (await tx.alertRule.count({ where: { workspaceId, agentId } })) > 0;
}

/** Its dearest call; null once one was corrected. */
export async function findCallToCorrect(pool: Pool, workspaceId: string, agentId: string) {
  const found = await pool.query<{ id: string; occurredAt: Date }>({
    name: "demo_call_to_correct",
    text: `SELECT dispatch_id AS id, occurred_at AS "occurredAt" FROM llm_call
           WHERE workspace_id = $1 AND agent_id = $2 AND cost_usd > 0 AND NOT EXISTS (
             SELECT FROM ledger_entry WHERE workspace_id = $1 AND agent_id = $2 AND kind = 'correction')
           ORDER BY cost_usd DESC, occurred_at LIMIT 1`,
    values: [workspaceId, agentId],
  });
  return found.rows[0] ?? null;
}

const RECORDED = [
  "tool_decision",
  "llm_call",
  "compaction",
  // In this order, a session that is being joined is either gone or waited for.
  "compaction_session",
  "compaction_record",
  "session",
  "session_seen",
  "report_hour",
  "rollup_minute",
  "rollup_hour",
  "rollup_day",
  "spend_minute",
  "spend_hour",
  "spend_day",
  "ledger_entry",
  "ledger_minute",
  "ledger_hour",
  "ledger_day",
  "delivery",
  "observation",
  "decision_hour",
  "decision_day",
  "hook_outcome",
  "judge_call",
  // An alert on a demo agent has no subject without it; its history is removed too.
  "alert_rule",
];
const BY_POLICY = [
  ...["hook_hour", "hook_day", "hook_revision_hour", "hook_revision_day"],
  ...["judge_minute", "judge_hour", "judge_day"],
];
/** Removing a demo that ran for long may take a while; nothing waits for it but the person who asked. */
const STATEMENT_MS = 120_000;

export interface Removal {
  readonly by: string;
  /** The id of a person who asked; null for a script and a service account. */
  readonly byId: string | null;
  readonly channel: string;
  readonly message: string;
}

/**
 * Removes every row of every demo agent and policy, and reports it in the audit chain and to other nodes, in one
 * transaction.
 *
 * Errors, each without a change: `workspace_frozen`, `review_required`.
 */
export function removeAll(pool: Pool, workspaceId: string, { by, byId, channel, message }: Removal): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${STATEMENT_MS}`);
    // Locks the figures, so that none is computed from the data during its removal.
    await lockFiguresOnClient(client, workspaceId);
    // pg honours a time limit per query; its types do not know yet.
    const query = (text: string, values: unknown[]) =>
      client.query<{ id: string; since: Date | null }>({ text, values, ...{ query_timeout: STATEMENT_MS + 500 } });
    // Like every change of what is in force: refused while the workspace is frozen, and blocks a freeze until it ends.
    await query("SELECT id FROM workspace WHERE id = $1 FOR SHARE", [workspaceId]);
    const frozen = await query("SELECT workspace_id AS id FROM workspace_freeze WHERE workspace_id = $1", [
      workspaceId,
    ]);
    if (frozen.rowCount) throw new AppError("workspace_frozen");
    await requireNoFourEyes(client, workspaceId);
    const { rows } = await query("SELECT id FROM agent WHERE workspace_id = $1 AND is_demo FOR UPDATE", [workspaceId]);
    const ids = rows.map((row) => row.id);
    // The demo's sessions bound where its dispatches lie, so that old partitions are not read.
    const first = await query(
      "SELECT min(first_at) AS since FROM session WHERE workspace_id = $1 AND agent_id = ANY ($2)",
      [workspaceId, ids],
    );
    const since = first.rows[0]?.since;
    const gone = since
      ? await client.query<{ day: string; count: number }>({
          text: `WITH gone AS (DELETE FROM dispatch
                   WHERE workspace_id = $1 AND agent_id = ANY ($2) AND occurred_at >= $3 RETURNING batch, occurred_at)
                 SELECT to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(batch)::float8 AS count
                 FROM gone GROUP BY 1 HAVING count(batch) > 0 ORDER BY 1`,
          values: [workspaceId, ids, since],
          ...{ query_timeout: STATEMENT_MS + 500 },
        })
      : null;
    const days = Object.fromEntries((gone?.rows ?? []).map(({ day, count }) => [day, count]));
    const count = Object.values(days).reduce((sum, rows) => sum + rows, 0);
    for (const table of RECORDED)
      await query(`DELETE FROM ${table} WHERE workspace_id = $1 AND agent_id = ANY ($2)`, [workspaceId, ids]);
    await query("DELETE FROM assignment WHERE workspace_id = $1 AND target_id = ANY ($2)", [workspaceId, ids]);
    await query(
      "DELETE FROM observation_hour WHERE workspace_id = $1 AND policy_id IN (SELECT id FROM policy WHERE workspace_id = $1 AND is_demo)",
      [workspaceId],
    );
    for (const table of BY_POLICY)
      await query(
        `DELETE FROM ${table} WHERE workspace_id = $1 AND policy IN (SELECT name FROM policy WHERE workspace_id = $1 AND is_demo)`,
        [workspaceId],
      );
    await query("DELETE FROM policy WHERE workspace_id = $1 AND is_demo", [workspaceId]);
    // Budgets of a person too: no agent is left that spends from them.
    await query(
      "DELETE FROM budget WHERE workspace_id = $1 AND scope = 'agent' AND target = ANY ($2::uuid[]::text[])",
      [workspaceId, ids],
    );
    // A halt without its agent cannot be read, and would apply to every agent.
    await query(
      `UPDATE halt SET resumed_at = clock_timestamp(), resumed_by = $3, resume_reason = 'The demo was removed.'
       WHERE workspace_id = $1 AND agent_id = ANY ($2) AND resumed_at IS NULL`,
      [workspaceId, ids, by],
    );
    await removeFurniture(query, workspaceId, ids);
    await query("DELETE FROM agent WHERE workspace_id = $1 AND id = ANY ($2)", [workspaceId, ids]);
    const removed = { kind: "demo_removed", version: 3, by, count, days } as const;
    const { text, values } = auditStatement(workspaceId, removed, { byId });
    await query(text, values);
    await query("SELECT pg_notify($1, $2)", [channel, message]);
    await query(RAISE_SEQUENCE_SQL, [workspaceId]);
  });
}

type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** Removes the rows that furnish.ts adds. A group with an agent of the workspace's own is kept. */
async function removeFurniture(query: Query, workspaceId: string, agentIds: readonly string[]): Promise<void> {
  await query("DELETE FROM approval_request WHERE workspace_id = $1 AND agent_id = ANY ($2)", [workspaceId, agentIds]);
  await query("DELETE FROM policy_exception WHERE workspace_id = $1 AND agent_id = ANY ($2)", [workspaceId, agentIds]);
  await query("DELETE FROM enrolment_token WHERE workspace_id = $1 AND name = $2 AND made_by = $3", [
    workspaceId,
    ENROLMENT_TOKEN,
    MAKER,
  ]);
  await query(
    `DELETE FROM agent_group WHERE workspace_id = $1 AND name LIKE 'Demo - %' AND NOT EXISTS (
       SELECT FROM agent_group_member AS member
       WHERE member.workspace_id = $1 AND member.group_id = agent_group.id AND member.agent_id <> ALL ($2))`,
    [workspaceId, agentIds],
  );
  await query("DELETE FROM webhook WHERE workspace_id = $1 AND url LIKE $2", [
    workspaceId,
    `https://${WEBHOOK_HOST}/%`,
  ]);
  // Its revisions, labels and known calls go with the prompt.
  await query("DELETE FROM judge_prompt WHERE workspace_id = $1 AND name = $2 AND created_by = $3", [
    workspaceId,
    JUDGE_PROMPT,
    MAKER,
  ]);
  await query("DELETE FROM model_connection WHERE workspace_id = $1 AND name = $2 AND updated_by = $3", [
    workspaceId,
    MODEL_CONNECTION,
    MAKER,
  ]);
  await query("DELETE FROM accepted_extension WHERE workspace_id = $1 AND accepted_by = $2", [workspaceId, MAKER]);
  await query("DELETE FROM service_account WHERE workspace_id = $1 AND name = $2", [workspaceId, SERVICE_ACCOUNT]);
  await query("DELETE FROM invitation WHERE workspace_id = $1 AND email LIKE $2", [workspaceId, `%@${DEMO_HOST}`]);
  await query(
    `DELETE FROM membership WHERE workspace_id = $1 AND person_id IN (SELECT id FROM person WHERE email LIKE $2)`,
    [workspaceId, `%@${DEMO_HOST}`],
  );
  await query("DELETE FROM person WHERE email LIKE $1", [`%@${DEMO_HOST}`]);
}

/** A demo policy with four eyes that a person assigned to real agents can be removed only with a second person. */
async function requireNoFourEyes(client: PoolClient, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM policy WHERE workspace_id = $1 AND is_demo AND four_eyes AND EXISTS (
       SELECT FROM assignment bound WHERE bound.workspace_id = $1 AND bound.policy_id = policy.id AND NOT EXISTS (
         SELECT FROM agent WHERE agent.workspace_id = $1 AND agent.id = bound.target_id AND agent.is_demo))
     ORDER BY name LIMIT 5`,
    [workspaceId],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  throw new AppError("review_required", undefined, {
    says: `Nothing was removed: ${names} ${rows.length === 1 ? "asks" : "ask"} for four eyes and ${rows.length === 1 ? "binds" : "bind"} agents that are not the demo's. Delete it as a policy first, with a second person.`,
  });
}
