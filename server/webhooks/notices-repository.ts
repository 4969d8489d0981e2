/**
 * SQL for held notices: deliveries that are combined into messages first. The process that combines for a webhook holds
 * the lock on its row.
 */
import type { PoolClient } from "../platform/db.ts";

export interface WebhookRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** No other node gathers for these until the transaction ends; deliveries are written for them all the same. */
export async function lockWebhooksWithHeld(client: PoolClient, limit: number): Promise<readonly WebhookRef[]> {
  const { rows } = await client.query<WebhookRef>(
    `SELECT workspace_id AS "workspaceId", id FROM webhook
     WHERE is_enabled AND EXISTS (SELECT FROM webhook_delivery AS held
       WHERE held.workspace_id = webhook.workspace_id AND held.webhook_id = webhook.id AND held.state = 'held')
     ORDER BY workspace_id, id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
    [limit],
  );
  return rows;
}

export async function countReleased(client: PoolClient, { workspaceId, id }: WebhookRef, since: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_delivery
     WHERE workspace_id = $1 AND webhook_id = $2 AND released_at > $3`,
    [workspaceId, id, since],
  );
  return rows[0]?.count ?? 0;
}

/**
 * Takes the oldest from each agent in turn, so that a flood from one agent does not push the calls of another one into
 * the summary.
 */
export async function listHeldGroups(client: PoolClient, { workspaceId, id }: WebhookRef, limit: number) {
  const { rows } = await client.query<{ kind: string; groupKey: string }>(
    `SELECT kind, group_key AS "groupKey" FROM (
       SELECT kind, group_key, min(at) AS at,
         row_number() OVER (PARTITION BY min(body::json -> 'data' ->> 'agent') ORDER BY min(at), group_key) AS turn
       FROM webhook_delivery WHERE workspace_id = $1 AND webhook_id = $2 AND state = 'held' GROUP BY kind, group_key) AS held
     ORDER BY turn, at, group_key LIMIT $3`,
    [workspaceId, id, limit],
  );
  return rows;
}

/** Removes equal notices; returns their number, and the current body of the oldest. */
export async function takeGroup(client: PoolClient, { workspaceId, id }: WebhookRef, groupKey: string) {
  const { rows } = await client.query<{ count: number; body: string | null }>(
    `WITH taken AS (DELETE FROM webhook_delivery
       WHERE workspace_id = $1 AND webhook_id = $2 AND state = 'held' AND group_key = $3 RETURNING at, id, body)
     SELECT count(*)::int AS count, (array_agg(body ORDER BY at, id))[1] AS body FROM taken`,
    [workspaceId, id, groupKey],
  );
  return rows[0] ?? { count: 0, body: null };
}

/** Removes all held notices; returns the number of each kind. */
export async function takeRest(client: PoolClient, { workspaceId, id }: WebhookRef) {
  const { rows } = await client.query<{ kind: string; count: number }>(
    `WITH taken AS (DELETE FROM webhook_delivery
       WHERE workspace_id = $1 AND webhook_id = $2 AND state = 'held' RETURNING kind)
     SELECT kind, count(*)::int AS count FROM taken GROUP BY kind ORDER BY kind`,
    [workspaceId, id],
  );
  return rows;
}

export async function insertMessage(
  client: PoolClient,
  { workspaceId, id }: WebhookRef,
  { kind, body, at }: { readonly kind: string; readonly body: string; readonly at: Date },
): Promise<void> {
  await client.query(
    `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, kind, body, released_at)
     VALUES ($1, gen_random_uuid(), $2, $3, $4, $5)`,
    [workspaceId, id, kind, body, at],
  );
}
