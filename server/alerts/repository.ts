/** Alert rules (Prisma), their status and sent notices (SQL, because of races), and the counts that no rollup holds. */
import { INSERT_WEBHOOK_DELIVERIES_SQL, webhookDeliveryParameters } from "../audit/webhook-outbox.ts";
import { type Pool, type PoolClient, type Tx, transaction } from "../platform/db.ts";
import type { AlertStatus, Reading } from "./condition.ts";
import type { AlertHistoryInput, AlertState, Condition, SaveAlert } from "./schema.ts";

export { transaction };

export const list = (tx: Tx, workspaceId: string) =>
  tx.alertRule.findMany({ where: { workspaceId }, orderBy: [{ name: "asc" }], take: 500 });
export const find = (tx: Tx, workspaceId: string, id: string) => tx.alertRule.findFirst({ where: { workspaceId, id } });
export const count = (tx: Tx, workspaceId: string) => tx.alertRule.count({ where: { workspaceId } });
export const isNameTaken = async (tx: Tx, workspaceId: string, name: string, exceptId: string) =>
  (await tx.alertRule.count({ where: { workspaceId, name, id: { not: exceptId } } })) > 0;

export async function lock(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM alert_rule WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
}

export type Settings = Omit<SaveAlert, "id"> & { readonly updatedBy: string };
/** The state of a rule that has not been evaluated yet. */
const fresh = () => ({
  state: "no_data",
  stateSince: new Date(),
  isTold: false,
  value: null,
  coverage: null,
  evaluatedAt: null,
  fault: null,
});

export async function insert(tx: Tx, workspaceId: string, id: string, settings: Settings): Promise<void> {
  await tx.alertRule.create({ data: { workspaceId, id, ...settings } });
}

/** With `isOther`, the rule has another condition, so its state starts again. */
export async function update(tx: Tx, workspaceId: string, id: string, settings: Settings, isOther: boolean) {
  const data = { ...settings, updatedAt: new Date(), ...(isOther ? fresh() : {}) };
  await tx.alertRule.update({ where: { workspaceId_id: { workspaceId, id } }, data });
}

export async function snooze(tx: Tx, workspaceId: string, id: string, until: Date | null): Promise<void> {
  await tx.alertRule.update({ where: { workspaceId_id: { workspaceId, id } }, data: { snoozedUntil: until } });
}

export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.alertRule.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

export async function queueWebhook(tx: Tx, workspaceId: string, kind: "alert.fired" | "alert.resolved", data: object) {
  await tx.$executeRawUnsafe(INSERT_WEBHOOK_DELIVERIES_SQL, ...webhookDeliveryParameters(workspaceId, kind, data));
}

export interface RuleRow extends Omit<Condition, "measure"> {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly measure: string;
  readonly severity: string;
  readonly emails: readonly string[];
  readonly state: AlertState;
  readonly stateSince: Date;
  readonly isTold: boolean;
  readonly snoozedUntil: Date | null;
  /** The minute of the previous evaluation. */
  readonly lastAt: Date | null;
}

const RULE = `rule.workspace_id AS "workspaceId", rule.id, rule.name, rule.measure, rule.agent_id AS "agentId",
  rule.group_id AS "groupId", rule.model_id AS "modelId", rule.person_id AS "personId",
  rule.sign_on_group_id AS "signOnGroupId", rule.window_minutes AS "windowMinutes", rule.comparison,
  rule.threshold, rule.for_minutes AS "forMinutes", rule.severity, rule.emails, rule.state,
  rule.state_since AS "stateSince", rule.is_told AS "isTold", rule.snoozed_until AS "snoozedUntil"`;
type Told = Omit<RuleRow, "threshold"> & { readonly threshold: string };
const ruleOf = (row: Told): RuleRow => ({ ...row, threshold: BigInt(row.threshold) });

/** Claims the rules that no node has evaluated for this minute yet. */
export async function claim(pool: Pool, at: Date, limit: number): Promise<RuleRow[]> {
  const { rows } = await pool.query<Told>(
    `UPDATE alert_rule AS rule SET evaluated_at = $1
     FROM (SELECT workspace_id, id, evaluated_at FROM alert_rule
       WHERE is_enabled AND (evaluated_at IS NULL OR evaluated_at < $1)
       ORDER BY evaluated_at NULLS FIRST LIMIT $2 FOR UPDATE SKIP LOCKED) AS due
     WHERE rule.workspace_id = due.workspace_id AND rule.id = due.id
     RETURNING ${RULE}, due.evaluated_at AS "lastAt"`,
    [at, limit],
  );
  return rows.map(ruleOf);
}

/** The rule, locked for this transaction; null when it was removed, is off, or was evaluated for a later minute. */
export async function findForUpdate(client: PoolClient, workspaceId: string, id: string, at: Date) {
  const { rows } = await client.query<Told>(
    `SELECT ${RULE}, NULL::timestamptz AS "lastAt" FROM alert_rule AS rule
     WHERE workspace_id = $1 AND id = $2 AND is_enabled AND evaluated_at = $3 FOR UPDATE`,
    [workspaceId, id, at],
  );
  return rows[0] ? ruleOf(rows[0]) : null;
}

export async function setStatus(
  client: PoolClient,
  { workspaceId, id }: Pick<RuleRow, "workspaceId" | "id">,
  { state, sinceMs, isTold, value, coverage, fault }: AlertStatus & Reading & { readonly fault: string | null },
): Promise<void> {
  await client.query(
    `UPDATE alert_rule SET state = $3, state_since = $4, is_told = $5, value = $6, coverage = $7, fault = $8
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id, state, new Date(sinceMs), isTold, value, coverage, fault],
  );
}

export interface NewEvent {
  readonly id: string;
  readonly at: Date;
  readonly state: AlertState;
  readonly value: bigint | null;
  readonly says: string;
  readonly isSnoozed: boolean;
  readonly mailTo: readonly string[];
  /** True if the rule fires or stops; false for other changes of its state. */
  readonly awaitsNotice: boolean;
}

export async function insertEvent(
  client: PoolClient,
  { workspaceId, id: ruleId }: Pick<RuleRow, "workspaceId" | "id">,
  { id, at, state, value, says, isSnoozed, mailTo, awaitsNotice }: NewEvent,
): Promise<void> {
  await client.query(
    `INSERT INTO alert_event (workspace_id, rule_id, at, id, state, value, says, is_snoozed, mail_to, mail_next_at, awaits_notice)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [workspaceId, ruleId, at, id, state, value, says, isSnoozed, mailTo, mailTo.length > 0 ? at : null, awaitsNotice],
  );
}

export async function queueWebhooks(
  client: PoolClient,
  workspaceId: string,
  kind: "alert.fired" | "alert.resolved",
  data: object,
  at: Date,
): Promise<void> {
  await client.query(INSERT_WEBHOOK_DELIVERIES_SQL, [...webhookDeliveryParameters(workspaceId, kind, data, at)]);
}

export interface EventRow {
  readonly id: string;
  readonly ruleId: string;
  readonly name: string;
  readonly at: Date;
  readonly state: AlertState;
  readonly says: string;
  readonly isSnoozed: boolean;
  readonly mail: "waiting" | "sent" | "failed" | null;
  readonly mailError: string | null;
}

export async function listEvents(pool: Pool, workspaceId: string, of: AlertHistoryInput): Promise<EventRow[]> {
  const { rows } = await pool.query<EventRow>(
    `SELECT event.id, rule_id AS "ruleId", name, at, event.state, says, is_snoozed AS "isSnoozed",
       CASE WHEN mail_to = '{}' THEN NULL WHEN mail_next_at IS NOT NULL THEN 'waiting'
            WHEN mail_error IS NULL THEN 'sent' ELSE 'failed' END AS mail, mail_error AS "mailError"
     FROM alert_event AS event JOIN alert_rule AS rule
       ON rule.workspace_id = event.workspace_id AND rule.id = event.rule_id
     WHERE event.workspace_id = $1 ${of.ruleId === undefined ? "AND $2::uuid IS NULL" : "AND rule_id = $2"}
       ${!of.cursor ? "AND $3::timestamptz IS NULL AND $4::uuid IS NULL" : "AND (at, event.id) < ($3, $4)"}
     ORDER BY at DESC, event.id DESC LIMIT $5`,
    [workspaceId, of.ruleId, of.cursor?.at, of.cursor?.id, of.limit + 1],
  );
  return rows;
}

export interface LetterRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly severity: string;
  readonly state: AlertState;
  readonly says: string;
  readonly to: readonly string[];
  readonly attempts: number;
}

/** Claims the due mails. */
export async function claimLetters(pool: Pool, now: Date, holdSeconds: number, limit: number): Promise<LetterRow[]> {
  const { rows } = await pool.query<LetterRow>(
    `UPDATE alert_event AS mine SET mail_attempts = mine.mail_attempts + 1,
       mail_next_at = $1::timestamptz + make_interval(secs => $2)
     FROM (SELECT event.workspace_id, event.rule_id, event.at, event.id, rule.name, rule.severity
       FROM alert_event AS event JOIN alert_rule AS rule
         ON rule.workspace_id = event.workspace_id AND rule.id = event.rule_id
       WHERE mail_next_at <= $1 ORDER BY mail_next_at LIMIT $3 FOR UPDATE OF event SKIP LOCKED) AS due
     WHERE mine.workspace_id = due.workspace_id AND mine.rule_id = due.rule_id AND mine.at = due.at AND mine.id = due.id
     RETURNING mine.workspace_id AS "workspaceId", mine.id, due.name, due.severity, mine.state, mine.says,
       mine.mail_to AS "to", mine.mail_attempts AS attempts`,
    [now, holdSeconds, limit],
  );
  return rows;
}

/** Null error: the mail was sent. Null `nextAt`: there is no further attempt. */
export async function recordMailResult(
  pool: Pool,
  { workspaceId, id }: LetterRow,
  error: string | null,
  nextAt: Date | null,
) {
  await pool.query("UPDATE alert_event SET mail_error = $3, mail_next_at = $4 WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    id,
    error,
    nextAt,
  ]);
}

export async function dropOldEvents(pool: Pool, now: Date, days: number): Promise<void> {
  await pool.query(
    `DELETE FROM alert_event WHERE (workspace_id, rule_id, at, id) IN (SELECT workspace_id, rule_id, at, id
       FROM alert_event WHERE at < $1::timestamptz - make_interval(days => $2) LIMIT 5000)`,
    [now, days],
  );
}

/** Counts agents heard in the last 30 days but not since `since`. Null when no agent was heard in these days. */
export async function countSilent(
  pool: Pool,
  workspaceId: string,
  { agentId, groupId }: Pick<Condition, "agentId" | "groupId">,
  since: Date,
): Promise<bigint | null> {
  const { rows } = await pool.query<{ heard: string; silent: string }>(
    `SELECT count(*) AS heard, count(*) FILTER (WHERE greatest(last_seen_at, polled_at) < $4) AS silent FROM agent
     WHERE workspace_id = $1 AND retired_at IS NULL AND greatest(last_seen_at, polled_at) > now() - interval '30 days' AND ($2::uuid IS NULL OR id = $2)
       AND ($3::uuid IS NULL OR id IN
         (SELECT agent_id FROM agent_group_member WHERE workspace_id = $1 AND group_id = $3))`,
    [workspaceId, agentId, groupId, since],
  );
  const [row] = rows;
  return row === undefined || row.heard === "0" ? null : BigInt(row.silent);
}

export async function countDead(pool: Pool, workspaceId: string): Promise<bigint> {
  const { rows } = await pool.query<{ count: string }>(
    "SELECT count(*) FROM webhook_delivery WHERE workspace_id = $1 AND state = 'dead'",
    [workspaceId],
  );
  return BigInt(rows[0]?.count ?? 0);
}

interface Window {
  readonly from: Date;
  readonly to: Date;
}

async function countWithin(pool: Pool, text: string, workspaceId: string, { from, to }: Window): Promise<bigint> {
  const { rows } = await pool.query<{ count: string }>(text, [workspaceId, from, to]);
  return BigInt(rows[0]?.count ?? 0);
}

export function countThresholds(pool: Pool, workspaceId: string, window: Window): Promise<bigint> {
  const text = "SELECT count(*) FROM budget_alert WHERE workspace_id = $1 AND at >= $2 AND at < $3";
  return countWithin(pool, text, workspaceId, window);
}

/** Counts budgets, not thresholds: a budget that crosses two at once counts once. */
export function countUsedUp(pool: Pool, workspaceId: string, window: Window): Promise<bigint> {
  const text = `SELECT count(DISTINCT (budget_id, period_start, subject)) AS count FROM budget_alert
    WHERE workspace_id = $1 AND at >= $2 AND at < $3 AND used_nano >= amount_nano`;
  return countWithin(pool, text, workspaceId, window);
}

export function countShed(pool: Pool, workspaceId: string, window: Window): Promise<bigint> {
  const text =
    "SELECT coalesce(sum(requests), 0) AS count FROM load_shed WHERE workspace_id = $1 AND to_at >= $2 AND to_at < $3";
  return countWithin(pool, text, workspaceId, window);
}

/** The histogram of hook durations over every hour that the window touches. */
export async function listHookLatencies(
  pool: Pool,
  workspaceId: string,
  { from, to }: Window,
): Promise<readonly { readonly bucket: number; readonly count: number }[]> {
  const { rows } = await pool.query<{ bucket: number; count: number }>(
    `SELECT latency AS bucket, sum(count)::float8 AS count FROM hook_hour
     WHERE workspace_id = $1 AND bucket >= date_trunc('hour', $2::timestamptz, 'UTC') AND bucket < $3 GROUP BY latency`,
    [workspaceId, from, to],
  );
  return rows;
}

/** The newest judge calls in the window that are read. */
const JUDGE_CALLS_READ = 10_000;

export async function findJudgeLatency(
  pool: Pool,
  workspaceId: string,
  { from, to }: Window,
  share: number,
): Promise<bigint | null> {
  const { rows } = await pool.query<{ ms: string | null }>(
    `SELECT round(percentile_disc($4) WITHIN GROUP (ORDER BY latency_ms))::text AS ms
     FROM (SELECT latency_ms FROM judge_call WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3
             AND latency_ms IS NOT NULL ORDER BY occurred_at DESC LIMIT ${JUDGE_CALLS_READ}) AS newest`,
    [workspaceId, from, to, share],
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : BigInt(ms);
}

/** The names of the agents, groups and models in filters. */
export async function listNames(pool: Pool, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    `SELECT id, name FROM agent WHERE workspace_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, name FROM agent_group WHERE workspace_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, name FROM sign_on_group WHERE workspace_id = $1 AND id = ANY ($2)`,
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** True if the group of the sign-on provider exists. */
export async function isSignOnGroup(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM sign_on_group WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
  return found.length > 0;
}
