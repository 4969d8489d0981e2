/** SQL that reads the record in the order of the chain. */
import { splitLeaves } from "../audit/leaf.ts";
import type { Pool } from "../platform/db.ts";
import { type StoredTexts, TEXT_READ_MAX } from "./record-event.ts";

/** Batches and entries of one reading. */
const BATCHES_MAX = 256;
const ENTRIES_MAX = 256;

export interface StoredBatch {
  readonly seq: number;
  readonly ids: readonly string[];
  readonly instants: readonly Date[];
  /** A leaf for each id. */
  readonly leaves: readonly string[];
  readonly recordedAt: string;
}

export interface StoredEntry {
  readonly seq: number;
  readonly at: string;
  readonly hash: string;
  readonly kind: string;
  readonly target: string | null;
  readonly actorKind: string | null;
  readonly actorId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly body: string;
}

/** The next items of the chain; nothing is missing up to `bound`. */
export interface ChainPart {
  readonly batches: readonly StoredBatch[];
  readonly entries: readonly StoredEntry[];
  readonly bound: number;
  readonly head: number;
}

const INSTANT = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export async function findHead(pool: Pool, workspaceId: string): Promise<number> {
  const { rows } = await pool.query<{ seq: number }>({
    name: "stream_head",
    text: "SELECT seq::float8 AS seq FROM audit_head WHERE workspace_id = $1",
    values: [workspaceId],
  });
  return rows[0]?.seq ?? 0;
}

/** Batches from the entry `from` on, which may be half read, and entries after it, up to `to`. */
export async function listChain(pool: Pool, workspaceId: string, from: number, to: number): Promise<ChainPart> {
  const head = await findHead(pool, workspaceId);
  const last = Math.min(head, to);
  const [batches, entries] = await Promise.all([
    listBatches(pool, workspaceId, from, last),
    listEntries(pool, workspaceId, from, last),
  ]);
  const bounds = [
    batches.length < BATCHES_MAX ? last : (batches.at(-1)?.seq ?? last),
    entries.length < ENTRIES_MAX ? last : (entries.at(-1)?.seq ?? last),
  ];
  return { batches, entries, bound: Math.min(...bounds), head };
}

interface BatchRow extends Omit<StoredBatch, "leaves"> {
  readonly leaves: string;
}

async function listBatches(pool: Pool, workspaceId: string, from: number, to: number): Promise<StoredBatch[]> {
  const { rows } = await pool.query<BatchRow>({
    name: "stream_batches",
    text: `SELECT seq::float8 AS seq, ids, instants, leaves, ${INSTANT("recorded_at")} AS "recordedAt" FROM chain_batch
           WHERE workspace_id = $1 AND chain_batch.seq >= $2 AND chain_batch.seq <= $3 AND ids IS NOT NULL
           ORDER BY chain_batch.seq LIMIT ${BATCHES_MAX}`,
    values: [workspaceId, from, to],
  });
  return rows.map((row) => {
    const leaves = splitLeaves(row.leaves, row.ids.length);
    if (leaves === null) throw new Error(`the batch of entry ${row.seq} has another number of leaves than rows`);
    return { ...row, leaves };
  });
}

async function listEntries(pool: Pool, workspaceId: string, after: number, to: number): Promise<StoredEntry[]> {
  const { rows } = await pool.query<StoredEntry>({
    name: "stream_entries",
    text: `SELECT seq::float8 AS seq, ${INSTANT("at")} AS at, encode(hash, 'hex') AS hash, kind, target,
             actor_kind AS "actorKind", actor_id AS "actorId", ip, user_agent AS "userAgent", body
           FROM audit_entry WHERE workspace_id = $1 AND audit_entry.seq > $2 AND audit_entry.seq <= $3
             AND kind <> 'dispatches_recorded' ORDER BY audit_entry.seq LIMIT ${ENTRIES_MAX}`,
    values: [workspaceId, after, to],
  });
  return rows;
}

export interface StoredCall {
  readonly id: string;
  readonly at: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly session: string;
  readonly event: string;
  readonly lane: string;
  readonly origin: string;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly toolError: boolean | null;
  readonly verdict: string;
  readonly revision: string;
  readonly durationUs: number;
  readonly facts: string | null;
  readonly isErased: boolean;
}

export interface CallKey {
  readonly id: string;
  readonly at: Date;
}

const ofKeys = (columns: string) => `SELECT one.* FROM unnest($2::uuid[], $3::timestamptz[]) AS named (id, at),
  LATERAL (SELECT id, ${columns} FROM dispatch WHERE workspace_id = $1 AND occurred_at = named.at AND id = named.id LIMIT 1) AS one`;
const keyValues = (workspaceId: string, keys: readonly CallKey[]) => [
  workspaceId,
  keys.map(({ id }) => id),
  keys.map(({ at }) => at),
];

/** The rows of these keys without their texts; removed rows are omitted. */
export async function listCalls(
  pool: Pool,
  workspaceId: string,
  keys: readonly CallKey[],
): Promise<ReadonlyMap<string, StoredCall>> {
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<StoredCall>({
    name: "stream_calls",
    text: ofKeys(`${INSTANT("occurred_at")} AS at, agent_id AS "agentId", agent_name AS "agentName", session_id AS session,
      event, lane, origin, tool_name AS tool, tool_use_id AS "toolUseId", tool_error AS "toolError", verdict, revision,
      duration_us AS "durationUs", facts, erased_at IS NOT NULL AS "isErased"`),
    values: keyValues(workspaceId, keys),
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The texts of these rows, cut. */
export async function listTexts(
  pool: Pool,
  workspaceId: string,
  keys: readonly CallKey[],
): Promise<ReadonlyMap<string, StoredTexts>> {
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<StoredTexts & { readonly id: string; readonly isErased: boolean }>({
    name: "stream_texts",
    text: ofKeys(
      `left(input, ${TEXT_READ_MAX}) AS input, length(input) AS "inputLength", reason, erased_at IS NOT NULL AS "isErased"`,
    ),
    values: keyValues(workspaceId, keys),
  });
  return new Map(
    rows.map(({ id, isErased, ...texts }) => [id, isErased ? { input: null, inputLength: 0, reason: null } : texts]),
  );
}
