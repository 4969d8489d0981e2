/** The record as it is stored, read in order. Every method takes the connection, then the workspace. */

import type { ChainedEntry } from "../audit/chain.ts";
import type { Checkpoint } from "../audit/checkpoint.ts";
import type { DispatchLine } from "../audit/export-lines.ts";
import { LEAF_SQL } from "../audit/leaf.ts";
import { STORED_ENTRY_COLUMNS, type StoredRow, toChainedEntry } from "../audit/stored-entries.ts";
import type { HeldRow } from "../audit/verify-batches.ts";
import type { Pool, PoolClient } from "../platform/db.ts";

export { transaction } from "../platform/db.ts";

export type Reader = Pool | PoolClient;

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export async function findHead(db: Reader, workspaceId: string): Promise<Head | null> {
  const { rows } = await db.query<Head>(
    "SELECT seq::float8 AS seq, encode(hash, 'hex') AS hash FROM audit_head WHERE workspace_id = $1",
    [workspaceId],
  );
  return rows[0] ?? null;
}

/** The head, and the last entry that is there, of one moment. */
export async function findEnd(db: Reader, workspaceId: string): Promise<{ head: number; last: number }> {
  const { rows } = await db.query<{ head: number; last: number }>(
    `SELECT coalesce((SELECT seq FROM audit_head WHERE workspace_id = $1), 0)::float8 AS head,
       coalesce((SELECT max(chain_entry.seq) FROM chain_entry WHERE workspace_id = $1), 0)::float8 AS last`,
    [workspaceId],
  );
  return rows[0] ?? { head: 0, last: 0 };
}

/**
 * The entries after `after` up to `to`, at most `limit`; more if several entries share a number, so that a page hides
 * none.
 */
export async function listEntries(
  db: Reader,
  workspaceId: string,
  { after, to, limit }: { readonly after: number; readonly to: number; readonly limit: number },
): Promise<ChainedEntry[]> {
  const { rows } = await db.query<StoredRow>({
    name: "list_chain",
    text: `SELECT ${STORED_ENTRY_COLUMNS} FROM chain_entry
           WHERE workspace_id = $1 AND chain_entry.seq > $2 AND chain_entry.seq <= $3
           ORDER BY chain_entry.seq FETCH FIRST ($4) ROWS WITH TIES`,
    values: [workspaceId, after, to, limit],
  });
  return rows.map(toChainedEntry);
}

export async function findEntry(db: Reader, workspaceId: string, seq: number): Promise<ChainedEntry | null> {
  const { rows } = await db.query<StoredRow>(
    `SELECT ${STORED_ENTRY_COLUMNS} FROM chain_entry WHERE workspace_id = $1 AND chain_entry.seq = $2`,
    [workspaceId, seq],
  );
  const [row] = rows;
  return row ? toChainedEntry(row) : null;
}

/** The dispatches of some batches that occurred within a span of time; null: at any time. */
export interface BatchSpan {
  readonly batches: readonly string[];
  readonly span: readonly [earliest: string, latest: string] | null;
}

/** The number and hash of the last entry up to a number; null when there is no such entry. */
export async function findLastEntry(db: Reader, workspaceId: string, to: number): Promise<Head | null> {
  const { rows } = await db.query<Head>(
    `SELECT chain_entry.seq::float8 AS seq, encode(hash, 'hex') AS hash FROM chain_entry
     WHERE workspace_id = $1 AND chain_entry.seq <= $2 ORDER BY chain_entry.seq DESC LIMIT 1`,
    [workspaceId, to],
  );
  return rows[0] ?? null;
}

/**
 * The ranges let the block-range index and the partitions skip distant rows; the list selects the rows. It compares
 * texts on purpose: an index that is read completely for each of 500 batches takes seconds instead of milliseconds, and
 * the planner does not know that.
 */
const IN_BATCHES = `workspace_id = $1 AND batch BETWEEN $3::uuid AND $4::uuid AND batch::text = ANY ($2::text[])
  AND occurred_at BETWEEN coalesce($5::timestamptz, '-infinity') AND coalesce($6::timestamptz, 'infinity')`;

function parametersOf(workspaceId: string, { batches, span }: BatchSpan) {
  const sorted = batches.toSorted();
  return [workspaceId, sorted, sorted[0], sorted.at(-1), span?.[0] ?? null, span?.[1] ?? null];
}

export interface BatchSize {
  readonly batch: string;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * The rows of these batches and the sizes of their contents, without reading these. At most `limit` rows are counted.
 */
export async function listSizes(
  db: Reader,
  workspaceId: string,
  of: BatchSpan,
  limit: number,
): Promise<readonly BatchSize[]> {
  if (of.batches.length === 0) return [];
  const { rows } = await db.query<BatchSize>({
    text: `SELECT batch, count(*)::int AS rows, sum(bytes)::float8 AS bytes FROM (
             SELECT batch, octet_length(input) + octet_length(answer) + octet_length(hooks)
               + coalesce(octet_length(detail), 0) + coalesce(octet_length(reason), 0) AS bytes
             FROM dispatch WHERE ${IN_BATCHES} LIMIT $7) AS one GROUP BY batch`,
    values: [...parametersOf(workspaceId, of), limit],
  });
  return rows;
}

/** The dispatches of these batches with the leaves that they have now, made in the database: contents do not travel. */
export async function listHeld(db: Reader, workspaceId: string, of: BatchSpan, limit: number): Promise<HeldRow[]> {
  if (of.batches.length === 0) return [];
  const { rows } = await db.query<HeldRow>({
    text: `SELECT id, batch, coalesce(place, -1) AS place, ${LEAF_SQL} AS leaf, erased_at IS NOT NULL AS "isErased"
           FROM dispatch WHERE ${IN_BATCHES} ORDER BY batch, place LIMIT $7`,
    values: [...parametersOf(workspaceId, of), limit],
  });
  return rows;
}

const INSTANT = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** The columns of a `StoredDispatch`. */
export const DISPATCH_COLUMNS = `batch, coalesce(place, -1) AS place, workspace_id AS "workspaceId", id,
  ${INSTANT("occurred_at")} AS "occurredAt", ${INSTANT("received_at")} AS "receivedAt", agent_id AS "agentId",
  agent_name AS "agentName", session_id AS "sessionId", event, lane, origin, tool_name AS "toolName",
  tool_use_id AS "toolUseId", tool_error AS "toolError", verdict, revision, duration_us AS "durationUs",
  salt, input, answer, hooks, detail, reason, content_sha256 AS "contentSha256", facts, erased_at IS NOT NULL AS "isErased"`;

export interface StoredDispatch extends Omit<DispatchLine, "type" | "content"> {
  readonly salt: string | null;
  readonly input: string;
  readonly answer: string;
  readonly hooks: string;
  readonly detail: string | null;
  readonly reason: string | null;
  readonly isErased: boolean;
}

/** The dispatches of these batches, whole. */
export async function listDispatches(
  db: Reader,
  workspaceId: string,
  of: BatchSpan,
  limit: number,
): Promise<DispatchLine[]> {
  if (of.batches.length === 0) return [];
  const { rows } = await db.query<StoredDispatch>({
    text: `SELECT ${DISPATCH_COLUMNS} FROM dispatch WHERE ${IN_BATCHES} ORDER BY batch, place LIMIT $7`,
    values: [...parametersOf(workspaceId, of), limit],
  });
  return rows.map(dispatchLineOf);
}

/** A stored dispatch as a line of an export. */
export function dispatchLineOf(stored: StoredDispatch): DispatchLine {
  const { salt, input, answer, hooks, detail, reason, isErased, ...row } = stored;
  const content = isErased ? null : { salt: salt ?? "", input, answer, hooks, detail, reason };
  return { type: "dispatch", ...row, content };
}

export async function listCheckpoints(
  db: Reader,
  workspaceId: string,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<Checkpoint[]> {
  const { rows } = await db.query<Omit<Checkpoint, "type" | "workspace">>(
    `SELECT seq::float8 AS seq, hash, at, key_id AS key, signature FROM audit_checkpoint
     WHERE workspace_id = $1 AND seq > $2 AND seq <= $3 ORDER BY audit_checkpoint.seq`,
    [workspaceId, after, to],
  );
  return rows.map((row) => ({ type: "checkpoint", workspace: workspaceId, ...row }));
}

export async function findLastCheckpoint(db: Reader, workspaceId: string): Promise<Checkpoint | null> {
  const { rows } = await db.query<Omit<Checkpoint, "type" | "workspace">>(
    `SELECT seq::float8 AS seq, hash, at, key_id AS key, signature FROM audit_checkpoint
     WHERE workspace_id = $1 ORDER BY audit_checkpoint.seq DESC LIMIT 1`,
    [workspaceId],
  );
  const [row] = rows;
  return row ? { type: "checkpoint", workspace: workspaceId, ...row } : null;
}

export interface StoredKey {
  readonly id: string;
  readonly publicKey: string;
  readonly since: Date;
}

export async function listKeys(db: Reader, workspaceId: string): Promise<StoredKey[]> {
  const { rows } = await db.query<StoredKey>(
    `SELECT key_id AS id, public_key AS "publicKey", since FROM audit_key WHERE workspace_id = $1 ORDER BY since`,
    [workspaceId],
  );
  return rows;
}

export async function findWorkspaceName(db: Reader, workspaceId: string): Promise<string> {
  const { rows } = await db.query<{ name: string }>("SELECT name FROM workspace WHERE id = $1", [workspaceId]);
  return rows[0]?.name ?? "";
}
