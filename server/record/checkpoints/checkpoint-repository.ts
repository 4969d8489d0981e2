import type { Checkpoint } from "../../audit/checkpoint.ts";
import { auditStatement } from "../../audit/record-audit.ts";
import { INSERT_WEBHOOK_DELIVERIES_SQL, webhookDeliveryParameters } from "../../audit/webhook-outbox.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";

/** Any number will do, as long as every node takes the same one. */
const LOCK = 7203;

/** False when another node holds the lock. Held until the transaction ends. */
export async function lock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS taken", [LOCK]);
  return rows[0]?.taken === true;
}

export interface Due {
  readonly workspaceId: string;
  /** The chain's last entry. */
  readonly seq: number;
  readonly fault: string | null;
}

/** Workspaces whose chain has grown by enough entries, or for long enough, since their last checkpoint. */
export async function listDue(
  client: PoolClient,
  { now, nowMs }: { readonly now: boolean; readonly nowMs: number },
): Promise<Due[]> {
  const { rows } = await client.query<Due>(
    `SELECT head.workspace_id AS "workspaceId", head.seq::float8 AS seq, setting.checkpoint_fault AS fault
     FROM audit_head AS head
     LEFT JOIN record_setting AS setting ON setting.workspace_id = head.workspace_id
     LEFT JOIN LATERAL (SELECT seq, at::timestamptz AS at FROM audit_checkpoint
       WHERE workspace_id = head.workspace_id ORDER BY seq DESC LIMIT 1) AS last ON true
     WHERE setting.checkpoint_fault IS NOT NULL OR head.seq > coalesce(last.seq, 0) AND ($1
       OR head.seq - coalesce(last.seq, 0) >= coalesce(setting.checkpoint_entries, 1000)
       OR coalesce(last.at, '-infinity') <= $2::timestamptz - make_interval(secs => coalesce(setting.checkpoint_seconds, 300)))
     ORDER BY head.workspace_id LIMIT 100`,
    [now, new Date(nowMs).toISOString()],
  );
  return rows;
}

/** Stores a checkpoint, and queues its webhook delivery. */
export async function insert(client: PoolClient, checkpoint: Checkpoint) {
  const { workspace, seq, hash, at, key, signature } = checkpoint;
  await client.query(
    `INSERT INTO audit_checkpoint (workspace_id, seq, hash, at, key_id, signature, webhook_url, webhook_next_at)
     SELECT $1, $2, $3, $4, $5, $6, setting.webhook_url, CASE WHEN setting.webhook_url IS NOT NULL THEN now() END
     FROM (SELECT 1) AS once LEFT JOIN record_setting AS setting ON setting.workspace_id = $1
     ON CONFLICT (workspace_id, seq) DO NOTHING`,
    [workspace, seq, hash, at, key, signature],
  );
  await client.query(INSERT_WEBHOOK_DELIVERIES_SQL, [
    ...webhookDeliveryParameters(workspace, "audit.checkpoint", checkpoint, new Date(at)),
  ]);
}

/** Stores a public key at its first signature; a second key gets its own event. */
export async function noteKey(client: PoolClient, workspaceId: string, key: string, publicKey: string): Promise<void> {
  const noted = await client.query<{ others: number }>(
    `WITH added AS (INSERT INTO audit_key (workspace_id, key_id, public_key) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, key_id) DO NOTHING RETURNING 1)
     SELECT (SELECT count(*) FROM audit_key WHERE workspace_id = $1)::int AS others FROM added`,
    [workspaceId, key, publicKey],
  );
  const [added] = noted.rows;
  if (added === undefined || added.others === 0) return;
  const entry = { kind: "checkpoint_key_used", version: 1, key } as const;
  await client.query(auditStatement(workspaceId, entry));
}

export async function setFault(client: PoolClient, workspaceId: string, fault: string | null): Promise<void> {
  await client.query(
    `INSERT INTO record_setting (workspace_id, checkpoint_fault) VALUES ($1, $2)
     ON CONFLICT (workspace_id) DO UPDATE SET checkpoint_fault = excluded.checkpoint_fault`,
    [workspaceId, fault],
  );
}

export interface Delivery {
  readonly checkpoint: Checkpoint;
  readonly url: string;
  readonly attempts: number;
}

/** Claims the due deliveries, so that no other node makes them at the same time. */
export async function claimDeliveries(pool: Pool, holdSeconds: number, limit: number): Promise<Delivery[]> {
  const { rows } = await pool.query<Omit<Checkpoint, "type"> & { url: string; attempts: number }>(
    `UPDATE audit_checkpoint AS mine SET webhook_next_at = now() + make_interval(secs => $1),
       webhook_attempts = mine.webhook_attempts + 1
     FROM (SELECT workspace_id, seq FROM audit_checkpoint
       WHERE webhook_next_at <= now() AND webhook_delivered_at IS NULL
       ORDER BY webhook_next_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS due
     WHERE mine.workspace_id = due.workspace_id AND mine.seq = due.seq
     RETURNING mine.workspace_id AS workspace, mine.seq::float8 AS seq, mine.hash, mine.at, mine.key_id AS key,
       mine.signature, mine.webhook_url AS url, mine.webhook_attempts AS attempts`,
    [holdSeconds, limit],
  );
  return rows.map(({ url, attempts, ...of }) => ({ checkpoint: { type: "checkpoint", ...of }, url, attempts }));
}

/** Null error: it arrived. Null `retrySeconds`: it is given up. */
export async function recordDelivery(
  pool: Pool,
  workspaceId: string,
  seq: number,
  { error, retrySeconds }: { readonly error: string | null; readonly retrySeconds: number | null },
): Promise<void> {
  await pool.query(
    `UPDATE audit_checkpoint SET webhook_error = $3, webhook_next_at = now() + make_interval(secs => $4),
       webhook_delivered_at = CASE WHEN $3::text IS NULL THEN now() END
     WHERE workspace_id = $1 AND seq = $2`,
    [workspaceId, seq, error, retrySeconds],
  );
}
