/** Webhooks (Prisma) and their deliveries (SQL, because nodes claim them under races). */
import { type Pool, type PoolClient, type Tx, transaction } from "../platform/db.ts";
import type { Attempt } from "./post.ts";
import type { ListDeliveries, SaveWebhook, WebhookShape } from "./schema.ts";

export { transaction };

export const list = (tx: Tx, workspaceId: string) =>
  tx.webhook.findMany({ where: { workspaceId }, orderBy: { createdAt: "asc" }, take: 100 });
export const find = (tx: Tx, workspaceId: string, id: string) => tx.webhook.findFirst({ where: { workspaceId, id } });
export const count = (tx: Tx, workspaceId: string) => tx.webhook.count({ where: { workspaceId } });

type Settings = Pick<SaveWebhook, "url" | "kinds" | "shape" | "isEnabled"> & { readonly updatedBy: string };

export async function insert(tx: Tx, workspaceId: string, id: string, settings: Settings, secret: Uint8Array) {
  const data = { workspaceId, id, ...settings, secret: new Uint8Array(secret), secretSetAt: new Date() };
  await tx.webhook.create({ data });
}

export async function update(tx: Tx, workspaceId: string, id: string, settings: Settings): Promise<void> {
  const data = { ...settings, updatedAt: new Date() };
  await tx.webhook.update({ where: { workspaceId_id: { workspaceId, id } }, data });
}

export async function setSecret(
  tx: Tx,
  workspaceId: string,
  id: string,
  to: { readonly secret: Uint8Array; readonly former: Uint8Array | null; readonly formerUntil: Date | null },
): Promise<void> {
  await tx.webhook.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: {
      secret: new Uint8Array(to.secret),
      secretSetAt: new Date(),
      formerSecret: to.former && new Uint8Array(to.former),
      formerUntil: to.formerUntil,
    },
  });
}

export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.webhook.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

export async function countStates(pool: Pool, workspaceId: string) {
  const { rows } = await pool.query<{ webhookId: string; state: string; count: number }>(
    `SELECT webhook_id AS "webhookId", state, count(*)::int AS count FROM webhook_delivery
     WHERE workspace_id = $1 AND state IN ('waiting', 'dead') GROUP BY 1, 2`,
    [workspaceId],
  );
  return rows;
}

export interface DeliveryRow {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  readonly kind: string;
  readonly at: Date;
  readonly state: "waiting" | "delivered" | "dead" | "discarded";
  readonly attempts: number;
  readonly attemptedAt: Date | null;
  readonly nextAt: Date;
  readonly status: number | null;
  readonly error: string | null;
  readonly body: string;
}

/** The newest first, without held notices; one more than requested shows that there are more. */
export async function listDeliveries(pool: Pool, workspaceId: string, of: ListDeliveries): Promise<DeliveryRow[]> {
  const { rows } = await pool.query<DeliveryRow>(
    `SELECT delivery.id, webhook_id AS "webhookId", url, kind, at, state, attempts, attempted_at AS "attemptedAt",
       next_at AS "nextAt", status, error, body
     FROM webhook_delivery AS delivery
     JOIN webhook ON webhook.workspace_id = delivery.workspace_id AND webhook.id = delivery.webhook_id
     WHERE delivery.workspace_id = $1 AND state <> 'held'
       ${of.webhookId === undefined ? "AND $2::uuid IS NULL" : "AND webhook_id = $2"}
       ${of.state === undefined ? "AND $3::text IS NULL" : "AND state = $3"}
       ${!of.cursor ? "AND $4::timestamptz IS NULL AND $5::uuid IS NULL" : "AND (at, delivery.id) < ($4, $5)"}
     ORDER BY at DESC, delivery.id DESC LIMIT $6`,
    [workspaceId, of.webhookId, of.state, of.cursor?.at, of.cursor?.id, of.limit + 1],
  );
  return rows;
}

export interface Claimed {
  readonly workspaceId: string;
  readonly id: string;
  readonly webhookId: string;
  readonly body: string;
  readonly attempts: number;
  readonly url: string;
  readonly shape: WebhookShape;
  readonly secret: Buffer;
  readonly formerSecret: Buffer | null;
  readonly formerUntil: Date | null;
}

export interface Claim {
  readonly now: Date;
  /** A claimed delivery is reserved for this long. */
  readonly holdMs: number;
  /** Limit per webhook: a slow one does not take every slot. */
  readonly perWebhook: number;
  readonly limit: number;
}

/** Claims the due deliveries. */
export async function claim(pool: Pool, { now, holdMs, perWebhook, limit }: Claim): Promise<Claimed[]> {
  const { rows } = await pool.query<Claimed>(
    `WITH due AS (
       SELECT webhook.workspace_id, webhook.id AS webhook_id, url, shape, secret, former_secret, former_until, waiting.id
       FROM webhook CROSS JOIN LATERAL (
         SELECT id FROM webhook_delivery AS delivery
         WHERE delivery.workspace_id = webhook.workspace_id AND delivery.webhook_id = webhook.id
           AND state = 'waiting' AND next_at <= $1
         ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
       ) AS waiting
       WHERE is_enabled LIMIT $4
     )
     UPDATE webhook_delivery AS mine SET next_at = $1::timestamptz + $2 * interval '1 millisecond',
       attempts = mine.attempts + 1, attempted_at = $1
     FROM due WHERE mine.workspace_id = due.workspace_id AND mine.id = due.id
     RETURNING mine.workspace_id AS "workspaceId", mine.id, due.webhook_id AS "webhookId", mine.body, mine.attempts,
       due.url, due.shape, due.secret, due.former_secret AS "formerSecret", due.former_until AS "formerUntil"`,
    [now, holdMs, perWebhook, limit],
  );
  return rows;
}

/** Null `nextAt`: it is given up. */
export async function recordAttempt(
  pool: Pool,
  workspaceId: string,
  id: string,
  { status, error, nextAt }: Attempt & { readonly nextAt: Date | null },
): Promise<void> {
  const state = error === null ? "delivered" : nextAt === null ? "dead" : "waiting";
  await pool.query(
    `UPDATE webhook_delivery SET state = $3, status = $4, error = $5, next_at = coalesce($6, next_at)
     WHERE workspace_id = $1 AND id = $2 AND state = 'waiting'`,
    [workspaceId, id, state, status, error, nextAt],
  );
}

/** A delivery that is attempted at once, and once. */
export async function insertTest(pool: Pool, workspaceId: string, id: string, webhookId: string, body: string) {
  await pool.query(
    `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, kind, body, attempts, attempted_at, next_at)
     VALUES ($1, $2, $3, 'test', $4, 1, now(), now() + interval '1 minute')`,
    [workspaceId, id, webhookId, body],
  );
}

/** Stores the result of a test, which is final: a test is not retried. */
export async function recordTest(pool: Pool, workspaceId: string, id: string, { status, error }: Attempt) {
  await pool.query(
    "UPDATE webhook_delivery SET state = $3, status = $4, error = $5 WHERE workspace_id = $1 AND id = $2",
    [workspaceId, id, error === null ? "delivered" : "discarded", status, error],
  );
}

/** The number of dead deliveries that were resolved. Null `id`: all of them. */
export async function resolveDead(
  tx: Tx,
  workspaceId: string,
  id: string | null,
  act: "retried" | "discarded",
): Promise<number> {
  return act === "retried"
    ? tx.$executeRaw`UPDATE webhook_delivery SET state = 'waiting', attempts = 0, next_at = now()
        WHERE workspace_id = ${workspaceId}::uuid AND state = 'dead' AND (${id}::uuid IS NULL OR id = ${id}::uuid)`
    : tx.$executeRaw`UPDATE webhook_delivery SET state = 'discarded'
        WHERE workspace_id = ${workspaceId}::uuid AND state = 'dead' AND (${id}::uuid IS NULL OR id = ${id}::uuid)`;
}

/** Removes old deliveries, a limited number at a time. */
export async function dropOld(pool: Pool, now: Date, { settledDays = 30, otherDays = 90, limit = 1_000 } = {}) {
  await pool.query(
    `DELETE FROM webhook_delivery WHERE (workspace_id, id) IN (
       SELECT workspace_id, id FROM webhook_delivery
       WHERE at < $1::timestamptz - make_interval(days => CASE WHEN state IN ('delivered', 'discarded') THEN $2::int ELSE $3::int END)
       LIMIT $4)`,
    [now, settledDays, otherDays, limit],
  );
}

/** Claims the webhooks that receive denied calls and have not been informed up to `to`. */
export async function claimDenials(client: PoolClient, to: Date, atLeast: Date) {
  const { rows } = await client.query<{ workspaceId: string; id: string; since: Date }>(
    `UPDATE webhook AS mine SET denials_told_to = $1
     FROM (SELECT workspace_id, id, greatest(coalesce(denials_told_to, $1::timestamptz - interval '1 minute'), $2) AS since
       FROM webhook WHERE is_enabled AND 'approval.denied' = ANY (kinds)
         AND coalesce(denials_told_to, '-infinity') < $1 LIMIT 200 FOR UPDATE SKIP LOCKED) AS due
     WHERE mine.workspace_id = due.workspace_id AND mine.id = due.id
     RETURNING mine.workspace_id AS "workspaceId", mine.id, due.since`,
    [to, atLeast],
  );
  return rows;
}

/** By agent, the most denied first. */
export async function listDenialCounts(client: PoolClient, workspaceId: string, from: Date, to: Date, limit: number) {
  const { rows } = await client.query<{ agent: string; name: string; byHooks: number; inTheEnd: number }>(
    `SELECT agent_id AS agent, agent_name AS name, sum(gate_denied)::float8 AS "byHooks",
       sum(denied)::float8 AS "inTheEnd" FROM rollup_minute
     WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3 AND (gate_denied > 0 OR denied > 0)
     GROUP BY 1, 2 ORDER BY sum(gate_denied + denied) DESC, 1, 2 LIMIT $4`,
    [workspaceId, from, to, limit],
  );
  return rows;
}

/** Claims the thresholds that budgets crossed and that were not sent yet, the oldest first. */
export async function claimCrossings(client: PoolClient, limit: number) {
  const { rows } = await client.query<{
    workspaceId: string;
    budget: string;
    name: string;
    period: string;
    subject: string;
    threshold: number;
    at: Date;
    used: string;
    amount: string;
  }>(
    `UPDATE budget_alert AS crossing SET notified_at = now()
     FROM (SELECT workspace_id, budget_id, period_start, subject, threshold FROM budget_alert
       WHERE notified_at IS NULL ORDER BY at LIMIT $1 FOR UPDATE SKIP LOCKED) AS due, budget
     WHERE crossing.workspace_id = due.workspace_id AND crossing.budget_id = due.budget_id
       AND crossing.period_start = due.period_start AND crossing.subject = due.subject AND crossing.threshold = due.threshold
       AND budget.workspace_id = due.workspace_id AND budget.id = due.budget_id
     RETURNING crossing.workspace_id AS "workspaceId", crossing.budget_id AS budget, budget.name,
       crossing.period_start::text AS period, crossing.subject, crossing.threshold, crossing.at,
       crossing.used_nano::text AS used, crossing.amount_nano::text AS amount`,
    [limit],
  );
  return rows;
}

export async function insertDelivery(
  client: PoolClient,
  workspaceId: string,
  webhookId: string,
  kind: string,
  body: string,
): Promise<void> {
  await client.query(
    "INSERT INTO webhook_delivery (workspace_id, id, webhook_id, kind, body) VALUES ($1, gen_random_uuid(), $2, $3, $4)",
    [workspaceId, webhookId, kind, body],
  );
}
