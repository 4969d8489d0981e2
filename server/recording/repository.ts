import { APPEND_AUDIT_SQL, auditParameters } from "../audit/record.ts";
import { type Pool, type PoolClient, transaction } from "../platform/db.ts";
import { insertRows, type Table } from "./columns.ts";
import {
  type BucketSums,
  callTable,
  compactionTable,
  decisionTable,
  deliveryTable,
  dispatchTable,
  type Entry,
  hourTable,
  minuteTable,
  type SessionSums,
  sessionTable,
} from "./tables.ts";

export { transaction };

/** Claims the named deliveries; answers the ids of the dispatches that came first, in this batch and ever. */
export async function insertDeliveries(client: PoolClient, entries: readonly Entry[]): Promise<Set<string>> {
  const named = entries.filter((entry) => entry.record.delivery !== null);
  const rows = await insertRows(client, deliveryTable, named);
  // Holds by deliveryTable's RETURNING.
  return new Set((rows as readonly { dispatch_id: string }[]).map((row) => row.dispatch_id));
}

export async function insertEntries(client: PoolClient, entries: readonly Entry[]): Promise<void> {
  await insertRows(client, dispatchTable, entries);
  const where = (table: Table<Entry>, has: (entry: Entry) => boolean) => insertRows(client, table, entries.filter(has));
  await where(decisionTable, (entry) => entry.projection.decision !== null);
  await where(callTable, (entry) => entry.projection.call !== null);
  await where(compactionTable, (entry) => entry.projection.compaction !== null);
}

export async function upsertSums(
  client: PoolClient,
  sessions: readonly SessionSums[],
  minutes: readonly BucketSums[],
  hours: readonly BucketSums[],
): Promise<void> {
  await insertRows(client, sessionTable, sessions);
  await insertRows(client, minuteTable, minutes);
  await insertRows(client, hourTable, hours);
}

/** One audit entry for the workspace's part of the batch. */
export async function appendAudit(
  client: PoolClient,
  workspaceId: string,
  count: number,
  sha256: string,
): Promise<void> {
  const values = auditParameters(workspaceId, { kind: "dispatches_recorded", version: 1, count, sha256 });
  const written = await client.query({ name: "append_audit", text: APPEND_AUDIT_SQL, values });
  if (written.rowCount !== 1) throw new Error(`no audit head for workspace ${workspaceId}`);
}

export async function touchAgents(
  client: PoolClient,
  agents: readonly { workspaceId: string; id: string; at: string; revision: string }[],
): Promise<void> {
  if (agents.length === 0) return;
  await client.query({
    name: "touch_agents",
    text: `UPDATE agent SET last_seen_at = greatest(last_seen_at, seen.at), last_revision = seen.revision
           FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) AS seen (workspace_id, id, at, revision)
           WHERE agent.workspace_id = seen.workspace_id AND agent.id = seen.id`,
    values: [
      agents.map((a) => a.workspaceId),
      agents.map((a) => a.id),
      agents.map((a) => a.at),
      agents.map((a) => a.revision),
    ],
  });
}

export async function notify(client: PoolClient, channel: string, payload: string): Promise<void> {
  await client.query({ name: "notify", text: "SELECT pg_notify($1, $2)", values: [channel, payload] });
}

export interface Delivered {
  readonly bodySha256: Buffer;
  readonly dispatchId: string;
  readonly answer: string;
  readonly revision: string;
}

/** The first delivery under this key, with what was answered to it. */
export async function findDelivery(
  db: Pool | PoolClient,
  workspaceId: string,
  agentId: string,
  eventId: string,
): Promise<Delivered | null> {
  const found = await db.query<{ body_sha256: Buffer; dispatch_id: string; answer: string; revision: string }>({
    name: "find_delivery",
    text: `SELECT delivery.body_sha256, delivery.dispatch_id, dispatch.answer, dispatch.revision
           FROM delivery JOIN dispatch ON dispatch.occurred_at = delivery.occurred_at AND dispatch.id = delivery.dispatch_id
           WHERE delivery.workspace_id = $1 AND delivery.agent_id = $2 AND delivery.event_id = $3`,
    values: [workspaceId, agentId, eventId],
  });
  const row = found.rows[0];
  return row
    ? { bodySha256: row.body_sha256, dispatchId: row.dispatch_id, answer: row.answer, revision: row.revision }
    : null;
}

/** Makes the partition of `month` ("2026-11") when it is missing. Safe when two nodes race for it. */
export async function createPartition(pool: Pool, month: string): Promise<void> {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  const name = `dispatch_${month.replace("-", "_")}`;
  await pool.query(
    `DO $$ BEGIN PERFORM pg_advisory_xact_lock(7202);
     CREATE TABLE IF NOT EXISTS ${name} PARTITION OF dispatch FOR VALUES FROM ('${month}-01Z') TO ('${next}Z'); END $$`,
  );
}
