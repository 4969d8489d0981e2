import type { AuditEntry } from "../../audit/entries.ts";
import { type Acting, appendAudit } from "../../audit/record-audit.ts";
import { type Pool, type PoolClient, type Send, transaction } from "../../platform/db.ts";
import type { EventKey } from "../../recording/event-key-schema.ts";
import { insertRows } from "../../recording/index.ts";
import type { Call, LatestEntry, LedgerEntry } from "./entry.ts";
import type { EntryKind } from "./schema.ts";
import { type Bucket, entryTable, sumByBucket, sumTable, UNITS, type Unit } from "./tables.ts";

export interface Notification {
  readonly channel: string;
  readonly message: string;
}

/**
 * The committed result of `work`, which runs while no other transaction adds entries to this workspace's ledger:
 * reading a call's newest entry and adding the next one is atomic.
 */
export function withLedgerLock<T>(
  pool: Pool,
  workspaceId: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return transaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('ledger ' || $1::text, 0))", [workspaceId]);
    return work(client);
  });
}

/** Entries and all that they move. Call it within `withLedgerLock`. */
export async function insertEntries(
  client: PoolClient,
  workspaceId: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  // One after the other: the order of locks is the recorder's.
  const send: Send = (query) => client.query(query);
  await insertRows(send, entryTable(workspaceId), entries);
  const corrections = entries.filter(({ kind }) => kind === "correction");
  for (const { call, adds } of corrections)
    await client.query(
      `UPDATE session SET calls_priced = calls_priced + $4, calls_free = calls_free + $5,
         calls_unpriced = calls_unpriced + $6, cost_nano = cost_nano + $7
       WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3`,
      [workspaceId, call.agentId, call.sessionId, adds.priced, adds.free, adds.unpriced, adds.corrected_nano],
    );
  for (const unit of UNITS)
    for (const bucket of sumByBucket(corrections, unit)) await move(client, workspaceId, unit, bucket);
  for (const unit of UNITS) await insertRows(send, sumTable(workspaceId, unit), sumByBucket(entries, unit));
}

/**
 * Updates the sums of calls, so that every reader gets the corrected figures. Rows that were dropped are not created
 * again.
 */
async function move(client: PoolClient, workspaceId: string, unit: Unit, of: Bucket): Promise<void> {
  const { priced, free, unpriced, corrected_nano } = of.sums;
  await client.query(
    `UPDATE rollup_${unit} SET calls_priced = calls_priced + $6, calls_free = calls_free + $7,
       calls_unpriced = calls_unpriced + $8, cost_nano = cost_nano + $9
     WHERE workspace_id = $1 AND bucket = $2 AND agent_id = $3 AND agent_name = $4 AND model_id = $5`,
    [workspaceId, of.bucket, of.agentId, of.agentName, of.modelId, priced, free, unpriced, corrected_nano],
  );
}

export async function append(
  client: PoolClient,
  who: Acting,
  entry: AuditEntry,
  { channel, message }: Notification,
): Promise<void> {
  await appendAudit(client, who, entry);
  await client.query("SELECT pg_notify($1, $2)", [channel, message]);
}

interface FoundCall {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly principal_id: string | null;
  readonly session_id: string;
  readonly model_id: string;
  readonly cost_nano: string | null;
  readonly cost_usd: string | null;
}

export async function findCall(client: PoolClient, workspaceId: string, key: EventKey): Promise<Call | null> {
  const found = await client.query<FoundCall>(
    `SELECT agent_id, agent_name, principal_id, session_id, model_id, cost_nano, cost_usd::text AS cost_usd FROM llm_call
     WHERE workspace_id = $1 AND occurred_at = $2 AND dispatch_id = $3`,
    [workspaceId, key.occurredAt, key.id],
  );
  const row = found.rows[0];
  return row === undefined
    ? null
    : {
        occurredAt: key.occurredAt,
        dispatchId: key.id,
        agentId: row.agent_id,
        agentName: row.agent_name,
        principalId: row.principal_id,
        sessionId: row.session_id,
        modelId: row.model_id,
        reported: row.cost_nano === null ? null : BigInt(row.cost_nano),
        isFree: row.cost_usd !== null && /^[0.]*$/.test(row.cost_usd),
      };
}

/** The newest entry of a kind for a call; null without one. */
export async function findLatestEntry(
  client: PoolClient,
  workspaceId: string,
  key: EventKey,
  kind: EntryKind,
): Promise<LatestEntry | null> {
  const found = await client.query<{ id: string; step: number; nano: string | null }>(
    `SELECT id, step, nano FROM ledger_entry
     WHERE workspace_id = $1 AND occurred_at = $2 AND dispatch_id = $3 AND kind = $4 ORDER BY step DESC LIMIT 1`,
    [workspaceId, key.occurredAt, key.id, kind],
  );
  const row = found.rows[0];
  return row ? { ...row, nano: row.nano === null ? null : BigInt(row.nano) } : null;
}

interface EntryRow {
  readonly id: string;
  readonly kind: EntryKind;
  readonly step: number;
  readonly corrects: string | null;
  readonly nano: string | null;
  readonly price_version: number | null;
  readonly author: string;
  readonly reason: string;
  readonly created_at: Date;
}

/** The entries of one call, the newest first. */
export async function list(
  pool: Pool,
  workspaceId: string,
  key: EventKey,
  limit: number,
): Promise<readonly EntryRow[]> {
  const found = await pool.query<EntryRow>({
    name: "ledger_entries_of_call",
    text: `SELECT id, kind, step, corrects, nano, price_version, author, reason, created_at FROM ledger_entry
           WHERE workspace_id = $1 AND occurred_at = $2 AND dispatch_id = $3 ORDER BY created_at DESC, id DESC LIMIT $4`,
    values: [workspaceId, key.occurredAt, key.id, limit],
  });
  return found.rows;
}

/** The parts of a correction that change the sums of calls. */
export type Correction = Pick<LedgerEntry, "adds"> & {
  readonly call: Omit<Call, "dispatchId" | "principalId" | "reported" | "isFree">;
};

export interface CorrectionRow extends Pick<FoundCall, "agent_id" | "agent_name" | "session_id" | "model_id"> {
  readonly occurred_at: Date;
  readonly priced: number;
  readonly free: number;
  readonly unpriced: number;
  readonly corrected: number;
  readonly corrected_nano: string;
}

/** SQL for the corrections of calls of one workspace ($1) that occurred from $2 until $3. */
export const CORRECTIONS_SQL = `SELECT occurred_at, agent_id, agent_name, session_id, model_id, priced, free, unpriced,
    corrected, corrected_nano FROM ledger_entry
  WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3 AND kind = 'correction'`;

export function correctionOf(row: CorrectionRow): Correction {
  const { priced, free, unpriced, corrected } = row;
  const adds = { priced, free, unpriced, corrected, corrected_nano: BigInt(row.corrected_nano) };
  return {
    call: {
      occurredAt: row.occurred_at,
      agentId: row.agent_id,
      agentName: row.agent_name,
      sessionId: row.session_id,
      modelId: row.model_id,
    },
    adds: { ...adds, estimated: 0, estimated_nano: 0n },
  };
}

/** SQL for the sums of corrections by session, of the sessions ($2: agents, $3: ids) of one workspace ($1). */
export const SESSION_CORRECTIONS_SQL = `SELECT one.agent_id, one.session_id, sum(priced)::text AS priced,
    sum(free)::text AS free, sum(unpriced)::text AS unpriced, sum(corrected_nano)::text AS nano
  FROM unnest($2::uuid[], $3::text[]) AS one (agent_id, session_id)
  JOIN ledger_entry AS entry ON entry.workspace_id = $1 AND entry.session_id = one.session_id
    AND entry.agent_id = one.agent_id AND entry.kind = 'correction' GROUP BY 1, 2`;
