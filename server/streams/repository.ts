/** SQL of streams: their settings, and the lists of their page. Every method takes the connection, then the workspace. */
import type { Pool, Tx } from "../platform/db.ts";
import { LAG_MS_SQL } from "./lag-repository.ts";
import {
  type EventFilter,
  eventFilter,
  type MaskingLevel,
  maskingLevel,
  type Position,
  type ReceiverKind,
  receiverKind,
  type StreamFormat,
  type StreamTarget,
  streamFormat,
  streamTarget,
} from "./schema.ts";

export interface StreamSettings {
  readonly name: string;
  readonly kind: ReceiverKind;
  readonly target: StreamTarget;
  readonly format: StreamFormat;
  readonly masking: MaskingLevel;
  readonly filter: EventFilter;
  readonly batchMax: number;
  readonly rateMax: number;
  readonly isEnabled: boolean;
}

export interface StoredStream extends StreamSettings {
  readonly workspaceId: string;
  readonly id: string;
  readonly secret: Buffer | null;
  readonly position: Position;
  readonly digest: Buffer;
  readonly events: number;
  readonly removed: number;
}

export const COLUMNS = `stream.workspace_id AS "workspaceId", stream.id, name, kind, target, secret, format, masking, kinds,
  agents_mode AS "agentsMode", agents, batch_max AS "batchMax", rate_max AS "rateMax", is_enabled AS "isEnabled",
  stream.seq::float8 AS seq, place, digest, events::float8 AS events, removed::float8 AS removed`;

export interface StreamRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly target: unknown;
  readonly secret: Uint8Array | null;
  readonly format: string;
  readonly masking: string;
  readonly kinds: unknown;
  readonly agentsMode: string;
  readonly agents: unknown;
  readonly batchMax: number;
  readonly rateMax: number;
  readonly isEnabled: boolean;
  readonly seq: number;
  readonly place: number;
  readonly digest: Uint8Array;
  readonly events: number;
  readonly removed: number;
}

/** Errors: for a row that this version cannot read. */
export function toStream(row: StreamRow): StoredStream {
  const { workspaceId, id, name, batchMax, rateMax, isEnabled, seq, place, events, removed } = row;
  const { kinds, agentsMode, agents } = row;
  return {
    ...{ workspaceId, id, name, batchMax, rateMax, isEnabled, events, removed, position: { seq, place } },
    kind: receiverKind.parse(row.kind),
    target: streamTarget.parse(row.target),
    secret: row.secret && Buffer.from(row.secret),
    format: streamFormat.parse(row.format),
    masking: maskingLevel.parse(row.masking),
    filter: eventFilter.parse({ kinds, agentsMode, agents }),
    digest: Buffer.from(row.digest),
  };
}

export interface StreamState {
  readonly head: number;
  readonly setAside: number;
  readonly resent: number;
  readonly lagMs: number;
  readonly attempts: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly nextAt: Date;
  readonly acceptedAt: Date | null;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

export async function list(pool: Pool, workspaceId: string): Promise<(StoredStream & StreamState)[]> {
  const { rows } = await pool.query<StreamRow & StreamState>(
    `SELECT ${COLUMNS}, coalesce((SELECT head.seq FROM audit_head AS head WHERE head.workspace_id = $1), 0)::float8 AS head,
       set_aside::float8 AS "setAside", resent::float8 AS resent, ${LAG_MS_SQL} AS "lagMs", attempts, status, error,
       next_at AS "nextAt", accepted_at AS "acceptedAt", updated_at AS "updatedAt", updated_by AS "updatedBy"
     FROM stream WHERE workspace_id = $1 ORDER BY created_at, id LIMIT 100`,
    [workspaceId],
  );
  return rows.map((row) => ({ ...row, ...toStream(row) }));
}

export async function find(pool: Pool, workspaceId: string, id: string): Promise<StoredStream | null> {
  const { rows } = await pool.query<StreamRow>(`SELECT ${COLUMNS} FROM stream WHERE workspace_id = $1 AND id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ? toStream(rows[0]) : null;
}

/** The same, locked until the transaction ends. */
export async function findForUpdate(tx: Tx, workspaceId: string, id: string): Promise<StoredStream | null> {
  const rows = await tx.$queryRawUnsafe<StreamRow[]>(
    `SELECT ${COLUMNS} FROM stream WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`,
    workspaceId,
    id,
  );
  return rows[0] ? toStream(rows[0]) : null;
}

/** Locks the workspace's streams against each other, and returns their number and whether the name is taken. */
export async function countForInsert(tx: Tx, workspaceId: string, name: string, id: string) {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('stream ' || ${workspaceId}, 0))`;
  const [row] = await tx.$queryRaw<{ count: number; isTaken: boolean }[]>`
    SELECT count(*)::int AS count, coalesce(bool_or(name = ${name} AND id <> ${id}::uuid), false) AS "isTaken"
    FROM stream WHERE workspace_id = ${workspaceId}::uuid`;
  return row ?? { count: 0, isTaken: false };
}

export async function findHead(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ seq: number }[]>`
    SELECT seq::float8 AS seq FROM audit_head WHERE workspace_id = ${workspaceId}::uuid`;
  return row?.seq ?? 0;
}

interface Written extends StreamSettings {
  readonly secret: Buffer | null;
  readonly updatedBy: string;
}

const SETTINGS = `name = $3, kind = $4, target = $5::jsonb, secret = $6, format = $7, masking = $8, kinds = $9::text[],
  agents_mode = $10, agents = $11::uuid[], batch_max = $12, rate_max = $13, is_enabled = $14, updated_by = $15`;

const valuesOf = (workspaceId: string, id: string, written: Written): unknown[] => {
  const { name, kind, target, secret, format, masking, filter, batchMax, rateMax, isEnabled, updatedBy } = written;
  return [
    ...[workspaceId, id, name, kind, JSON.stringify(target), secret, format, masking],
    ...[filter.kinds, filter.agentsMode, filter.agents, batchMax, rateMax, isEnabled, updatedBy],
  ];
};

/** A stream at the position `seq`, with its first mark. */
export async function insert(tx: Tx, workspaceId: string, id: string, written: Written, at: Position, digest: Buffer) {
  await tx.$executeRawUnsafe(
    `INSERT INTO stream (workspace_id, id, name, kind, target, secret, format, masking, kinds, agents_mode, agents, batch_max,
       rate_max, is_enabled, updated_by, seq, place, digest)
     VALUES ($1::uuid, $2::uuid, $3, $4, $5::jsonb, $6, $7, $8, $9::text[], $10, $11::uuid[], $12, $13, $14, $15, $16::bigint, $17, $18)`,
    ...valuesOf(workspaceId, id, written),
    at.seq,
    at.place,
    digest,
  );
  await insertMark(tx, workspaceId, id);
}

/** Ends the lease, so that a request under way counts under the former settings or not at all. */
export async function update(tx: Tx, workspaceId: string, id: string, written: Written): Promise<void> {
  await tx.$executeRawUnsafe(
    `UPDATE stream SET ${SETTINGS}, updated_at = now(), pending_seq = NULL, pending_place = NULL,
       lease = NULL, lease_until = NULL, attempts = 0, next_at = now(), status = NULL, error = NULL
     WHERE workspace_id = $1::uuid AND id = $2::uuid`,
    ...valuesOf(workspaceId, id, written),
  );
}

/** A mark at the stream's present position, with its present filter. */
export async function insertMark(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO stream_mark (workspace_id, stream_id, seq, place, events, removed, digest, kinds, agents_mode, agents)
    SELECT workspace_id, id, seq, place, events, removed, digest, kinds, agents_mode, agents FROM stream
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid ON CONFLICT DO NOTHING`;
}

/** Continues after another position: what was sent behind it is sent again, and the counts begin anew. */
export async function rewind(tx: Tx, workspaceId: string, id: string, seq: number, digest: Buffer): Promise<void> {
  await tx.$executeRaw`DELETE FROM stream_mark WHERE workspace_id = ${workspaceId}::uuid AND stream_id = ${id}::uuid`;
  await tx.$executeRaw`
    UPDATE stream SET seq = ${seq}::bigint, place = ${LAST_PLACE}, digest = ${digest}, events = 0, removed = 0, set_aside = 0, resent = 0,
      pending_seq = NULL, pending_place = NULL, lease = NULL, lease_until = NULL, attempts = 0, next_at = now(), error = NULL, status = NULL
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
  await tx.$executeRaw`DELETE FROM stream_set_aside WHERE workspace_id = ${workspaceId}::uuid AND stream_id = ${id}::uuid`;
  await insertMark(tx, workspaceId, id);
}

/** Behind every row of a batch. */
export const LAST_PLACE = 2_147_483_646;

export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM stream WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

export interface Mark {
  readonly position: Position;
  readonly events: number;
  readonly removed: number;
  readonly digest: Buffer;
  readonly filter: EventFilter;
}

interface MarkRow extends Position {
  readonly events: number;
  readonly removed: number;
  readonly digest: Buffer;
  readonly kinds: unknown;
  readonly agentsMode: unknown;
  readonly agents: unknown;
}

/** The marks at and after a position, in their order. */
export async function listMarks(
  pool: Pool,
  workspaceId: string,
  id: string,
  from: Position,
  limit: number,
): Promise<Mark[]> {
  const { rows } = await pool.query<MarkRow>(
    `SELECT seq::float8 AS seq, place, events::float8 AS events, removed::float8 AS removed, digest, kinds,
       agents_mode AS "agentsMode", agents FROM stream_mark
     WHERE workspace_id = $1 AND stream_id = $2 AND (stream_mark.seq, place) >= ($3, $4)
     ORDER BY stream_mark.seq, place LIMIT $5`,
    [workspaceId, id, from.seq, from.place, limit],
  );
  return rows.map(({ seq, place, events, removed, digest, ...filter }) => ({
    ...{ position: { seq, place }, events, removed, digest },
    filter: eventFilter.parse(filter),
  }));
}
