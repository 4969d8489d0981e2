import { appendBatchSql, batchParameters, type ChainBatch } from "../audit/chain-batch.ts";
import { flight, type Pool, type PoolClient, type Send } from "../platform/db.ts";
import type { Proven } from "./chain-leaves.ts";
import type { FirstAnswer } from "./dispatch-record.ts";
import { dispatchTable } from "./dispatch-table.ts";
import { insertRows } from "./insert-rows.ts";
import type { RecordOrigin } from "./schema.ts";
import { callClaimTable, deliveryTable, type ProjectedRecord } from "./tables.ts";

export { flight };

const nameOf = ({ record }: ProjectedRecord): string =>
  `${record.workspaceId} ${record.agentId} ${record.delivery?.eventId}`;

const callNameOf = ({ record }: ProjectedRecord): string => `${record.workspaceId} ${record.agentId} ${record.callKey}`;

/** In one order everywhere: a delivery may reach two nodes at once, each with others that the other one has. */
export const byDeliveryName = (a: ProjectedRecord, b: ProjectedRecord): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** Claims the named deliveries; returns the ids of the dispatches that were the first with their name. */
export async function claimDeliveries(send: Send, entries: readonly ProjectedRecord[]): Promise<Set<string>> {
  const named = entries.filter((entry) => entry.record.delivery !== null).sort(byDeliveryName);
  const claimed = await insertRows(send, deliveryTable, named);
  return new Set(claimed?.rows.map((row) => String(row.dispatch_id)));
}

/**
 * The entries without the calls whose request is already counted, because another hook or the client's telemetry
 * reported it. A call left out of the facts is in no figure.
 */
export async function leaveOutRepeatedCalls(
  send: Send,
  entries: readonly ProjectedRecord[],
): Promise<readonly ProjectedRecord[]> {
  const calls = entries
    .filter(({ record, projection }) => record.callKey !== undefined && projection.call !== null)
    .sort((a, b) => (callNameOf(a) < callNameOf(b) ? -1 : 1));
  if (calls.length === 0) return entries;
  const claimed = await insertRows(send, callClaimTable, calls);
  const first = new Set(claimed?.rows.map((row) => String(row.dispatch_id)));
  const repeated = new Set(calls.filter(({ record }) => !first.has(record.id)));
  return entries.map((entry) =>
    repeated.has(entry) ? { ...entry, projection: { ...entry.projection, call: null } } : entry,
  );
}

// Nobody waits for these: the flight they are part of lands whole or not at all.

export function writeDispatchRows(send: Send, rows: readonly Proven[]): void {
  void insertRows(send, dispatchTable, rows);
}

const APPEND_BATCH_SQL = appendBatchSql();

/** Appends the entry of the workspace's part of the batch, and locks the chain's head until the commit. */
export function appendChainBatch(send: Send, workspaceId: string, batch: ChainBatch, haltNumber: number | null): void {
  void send({ name: "append_batch", text: APPEND_BATCH_SQL, values: batchParameters(workspaceId, batch, haltNumber) });
}

/**
 * The time when hooks and judges began to be counted, for a workspace with older records; null when all its records are
 * counted.
 */
export async function findCountingStart(pool: Pool, workspaceId: string): Promise<Date | null> {
  const found = await pool.query<{ began_at: Date }>({
    name: "hook_counting",
    text: `SELECT began_at FROM hook_counting JOIN workspace ON workspace.id = $1 AND workspace.created_at < began_at`,
    values: [workspaceId],
  });
  return found.rows[0]?.began_at ?? null;
}

export interface DeliveryName {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly eventId: string;
}

export interface Delivered extends FirstAnswer {
  readonly bodySha256: Buffer;
  readonly origin: RecordOrigin;
}

/** True if a delivery repeats the first one under its name. A report decided nothing, so it answers no dispatch. */
export const isRepeatOf = (
  first: Pick<Delivered, "bodySha256" | "origin">,
  { bodySha256, origin }: Pick<Delivered, "bodySha256" | "origin">,
): boolean => first.bodySha256.equals(bodySha256) && (first.origin === "dispatch" || origin === "report");

/**
 * Reads the deliveries first and each dispatch by its whole key, regardless of statistics: plans are made once, early.
 */
const DELIVERED = `WITH known AS MATERIALIZED (
    SELECT named.place, first.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[])
      WITH ORDINALITY AS named (workspace_id, agent_id, event_id, place),
    LATERAL (SELECT workspace_id, occurred_at, dispatch_id, body_sha256, sealed_answer FROM delivery
      WHERE delivery.workspace_id = named.workspace_id AND delivery.agent_id = named.agent_id
        AND delivery.event_id = named.event_id LIMIT 1) AS first)
  SELECT known.place::int, known.body_sha256 AS "bodySha256", known.dispatch_id AS "dispatchId",
    known.sealed_answer AS "sealedAnswer", dispatch.answer, dispatch.revision, dispatch.origin
  FROM known, LATERAL (SELECT answer, revision, origin FROM dispatch WHERE dispatch.workspace_id = known.workspace_id
    AND dispatch.occurred_at = known.occurred_at AND dispatch.id = known.dispatch_id LIMIT 1) AS dispatch`;

/** The places in `names`, from 0, of those that were delivered under. Reads every workspace that is named. */
export async function listDelivered(pool: Pool, names: readonly DeliveryName[]): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ place: number }>({
    name: "list_delivered",
    // One name after the other, so that each is looked up in its own partition only.
    text: `SELECT named.place::int AS place FROM unnest($1::uuid[], $2::uuid[], $3::uuid[])
             WITH ORDINALITY AS named (workspace_id, agent_id, event_id, place),
             LATERAL (SELECT FROM delivery WHERE delivery.workspace_id = named.workspace_id
               AND delivery.agent_id = named.agent_id AND delivery.event_id = named.event_id LIMIT 1) AS known`,
    values: columnsOf(names),
  });
  return new Set(rows.map(({ place }) => place - 1));
}

const columnsOf = (names: readonly DeliveryName[]): string[][] => [
  names.map(({ workspaceId }) => workspaceId),
  names.map(({ agentId }) => agentId),
  names.map(({ eventId }) => eventId),
];

/** The first delivery under each of `names`, in their order; null when there is no delivery. */
export async function findDeliveries(
  client: Pool | PoolClient,
  names: readonly DeliveryName[],
): Promise<(Delivered | null)[]> {
  if (names.length === 0) return [];
  const found = await client.query<Delivered & { place: number }>({
    name: "find_deliveries",
    text: DELIVERED,
    values: columnsOf(names),
  });
  const byPlace = new Map(found.rows.map(({ place, ...delivered }) => [place, delivered]));
  return names.map((_, index) => byPlace.get(index + 1) ?? null);
}

/** Makes the partition of `dispatch` of `month` ("2026-11") when it is missing. Safe when two nodes race for it. */
export async function createDispatchPartition(pool: Pool, month: string): Promise<void> {
  await pool.query("SELECT quarterdeck_add_month($1)", [`${month}-01`]);
}

/** The same of `chain_batch`. */
export async function createChainPartition(pool: Pool, month: string): Promise<void> {
  await pool.query("SELECT quarterdeck_add_chain_month($1)", [`${month}-01`]);
}

/**
 * The months in which the next entries of these workspaces will be recorded, by PostgreSQL's clock and by the last
 * entries.
 */
export async function listNextChainMonths(pool: Pool, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ month: string }>(
    `SELECT DISTINCT to_char(greatest(clock_timestamp(), at) AT TIME ZONE 'UTC', 'YYYY-MM') AS month
     FROM audit_head WHERE workspace_id = ANY ($1::uuid[])`,
    [workspaceIds],
  );
  return rows.map(({ month }) => month);
}

/** The numbers of the last changes to halts, by workspace. */
export async function listHaltNumbers(pool: Pool, workspaceIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: string; number: number }>({
    name: "halt_numbers",
    text: `SELECT workspace_id AS id, halt_number::float8 AS number FROM audit_head WHERE workspace_id = ANY ($1::uuid[])`,
    values: [workspaceIds],
  });
  return new Map(rows.map(({ id, number }) => [id, number]));
}
