/** SQL of the job that sends: each stream is leased to one process, and a step counts only under its lease. */
import { type Pool, transaction } from "../../platform/db.ts";
import { COLUMNS, type StoredStream, type StreamRow, toStream } from "../repository.ts";
import type { EventKind, Position } from "../schema.ts";

export interface ClaimedStream {
  readonly stream: StoredStream;
  readonly lease: string;
  /** The end of a request that was begun and not accepted. */
  readonly pending: Position | null;
  readonly isUncertain: boolean;
  readonly attempts: number;
}

type Of = Pick<StoredStream, "workspaceId" | "id">;

interface ClaimedRow extends StreamRow {
  readonly pendingSeq: number | null;
  readonly pendingPlace: number | null;
  readonly isUncertain: boolean;
  readonly attempts: number;
}

/** Streams that are due and have something new, each leased; the longest waiting first. */
export async function claim(pool: Pool, lease: string, leaseMs: number, limit: number): Promise<ClaimedRow[]> {
  const { rows } = await pool.query<ClaimedRow>({
    name: "stream_claim",
    text: `UPDATE stream SET lease = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
           FROM (SELECT one.workspace_id, one.id FROM stream AS one
             JOIN audit_head AS head ON head.workspace_id = one.workspace_id
             WHERE one.is_enabled AND one.next_at <= clock_timestamp()
               AND (one.lease_until IS NULL OR one.lease_until < clock_timestamp())
               AND (head.seq > one.seq OR one.pending_seq IS NOT NULL OR EXISTS (SELECT FROM chain_batch AS half
                 WHERE half.workspace_id = one.workspace_id AND half.seq = one.seq AND half.count > one.place + 1))
             ORDER BY one.next_at LIMIT $3 FOR UPDATE OF one SKIP LOCKED) AS due
           WHERE stream.workspace_id = due.workspace_id AND stream.id = due.id
           RETURNING ${COLUMNS}, pending_seq::float8 AS "pendingSeq", pending_place AS "pendingPlace",
             is_pending_uncertain AS "isUncertain", attempts`,
    values: [lease, leaseMs, limit],
  });
  return rows;
}

/** Errors: for a row that this version cannot read. */
export function toClaimed(row: ClaimedRow, lease: string): ClaimedStream {
  const { pendingSeq, pendingPlace, isUncertain, attempts } = row;
  const pending = pendingSeq === null || pendingPlace === null ? null : { seq: pendingSeq, place: pendingPlace };
  return { stream: toStream(row), lease, pending, isUncertain, attempts };
}

const HELD = "workspace_id = $1 AND id = $2 AND lease = $3";
const EXTEND = "lease_until = clock_timestamp() + $4 * interval '1 millisecond'";

/** Notes which events are sent now; false when the lease is lost. `again` of them may arrive twice. */
export async function begin(
  pool: Pool,
  { workspaceId, id }: Of,
  lease: string,
  leaseMs: number,
  { upTo, again }: { readonly upTo: Position; readonly again: number },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "stream_begin",
    text: `UPDATE stream SET pending_seq = $5, pending_place = $6, is_pending_uncertain = true, resent = resent + $7, ${EXTEND}
           WHERE ${HELD}`,
    values: [workspaceId, id, lease, leaseMs, upTo.seq, upTo.place, again],
  });
  return rowCount === 1;
}

/** Keeps the lease during a long request. */
export async function extend(pool: Pool, { workspaceId, id }: Of, lease: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "stream_extend",
    text: `UPDATE stream SET ${EXTEND} WHERE ${HELD}`,
    values: [workspaceId, id, lease, leaseMs],
  });
  return rowCount === 1;
}

export interface SetAside {
  readonly position: Position;
  readonly kind: EventKind;
  readonly status: number | null;
  readonly reason: string;
}

export interface Step {
  readonly upTo: Position;
  readonly digest: Buffer;
  readonly events: number;
  readonly removed: number;
  readonly setAside: readonly SetAside[];
  /** Null where nothing was sent. */
  readonly status: number | null;
  readonly hasSent: boolean;
  /** Milliseconds until the next request may begin. */
  readonly restMs: number;
}

/** A mark is set after this many entries of the chain, or after this time. */
const MARK = { entries: 5_000, seconds: 600 };

/** Moves the position with everything that belongs to it; false when the lease is lost. */
export async function advance(pool: Pool, stream: StoredStream, lease: string, leaseMs: number, step: Step) {
  const { workspaceId, id, position } = stream;
  const { upTo, digest, events, removed, setAside, status, hasSent, restMs } = step;
  return transaction(pool, async (client) => {
    const { rowCount } = await client.query({
      name: "stream_advance",
      text: `UPDATE stream SET seq = $5, place = $6, digest = $7, events = events + $8, removed = removed + $9,
               set_aside = set_aside + $10, pending_seq = NULL, pending_place = NULL, is_pending_uncertain = false, attempts = 0,
               error = NULL, status = CASE WHEN $11 THEN $12 ELSE status END,
               accepted_at = CASE WHEN $11 THEN clock_timestamp() ELSE accepted_at END,
               next_at = clock_timestamp() + $13 * interval '1 millisecond', ${EXTEND}
             WHERE ${HELD} AND seq = $14 AND place = $15`,
      values: [
        ...[workspaceId, id, lease, leaseMs, upTo.seq, upTo.place, digest, events, removed, setAside.length],
        ...[hasSent, status, restMs, position.seq, position.place],
      ],
    });
    if (rowCount !== 1) return false;
    for (const one of setAside)
      await client.query({
        name: "stream_set_aside",
        text: `INSERT INTO stream_set_aside (workspace_id, stream_id, seq, place, kind, status, reason)
               VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
        values: [workspaceId, id, one.position.seq, one.position.place, one.kind, one.status, one.reason],
      });
    await client.query({
      name: "stream_mark",
      text: `INSERT INTO stream_mark (workspace_id, stream_id, seq, place, events, removed, digest, kinds, agents_mode, agents)
             SELECT workspace_id, id, stream.seq, place, events, removed, digest, kinds, agents_mode, agents FROM stream
             WHERE workspace_id = $1 AND id = $2 AND NOT EXISTS (
               SELECT FROM stream_mark AS mark WHERE mark.workspace_id = $1 AND mark.stream_id = $2
                 AND mark.seq > stream.seq - $3 AND mark.at > clock_timestamp() - $4 * interval '1 second')
             ON CONFLICT DO NOTHING`,
      values: [workspaceId, id, MARK.entries, MARK.seconds],
    });
    return true;
  });
}

export interface FailedRequest {
  readonly status: number | null;
  readonly error: string;
  readonly isUncertain: boolean;
  readonly pauseMs: number;
}

/** The request is repeated after a pause, with the same events. */
export async function fail(pool: Pool, { workspaceId, id }: Of, lease: string, failed: FailedRequest): Promise<void> {
  await pool.query({
    name: "stream_fail",
    text: `UPDATE stream SET attempts = attempts + 1, status = $4, error = $5, is_pending_uncertain = is_pending_uncertain AND $6,
             next_at = clock_timestamp() + $7 * interval '1 millisecond', lease = NULL, lease_until = NULL WHERE ${HELD}`,
    values: [workspaceId, id, lease, failed.status, failed.error, failed.isUncertain, failed.pauseMs],
  });
}

/** Ends the turn. */
export async function release(pool: Pool, { workspaceId, id }: Of, lease: string, restMs: number): Promise<void> {
  await pool.query({
    name: "stream_release",
    text: `UPDATE stream SET lease = NULL, lease_until = NULL,
             next_at = greatest(next_at, clock_timestamp() + $4 * interval '1 millisecond') WHERE ${HELD}`,
    values: [workspaceId, id, lease, restMs],
  });
}
