/** SQL for the statement about a period: the entries dated within it, and those around it. */
import { BATCH_KIND } from "../../audit/chain-batch.ts";
import { ERASED_PERSON } from "../../audit/person-names.ts";
import type { Pool } from "../../platform/db.ts";
import { SERVER_ACTOR } from "../schema.ts";

/** Kinds of entries about data that was removed or erased. */
const REMOVAL_KINDS = [
  ...["content_erased", "erasure_requested", "erasure_finished", "erasure_withdrawn"],
  ...["dispatches_dropped", "data_dropped", "demo_removed", "retention_set"],
];

export interface PeriodRange {
  /** The first and last entry dated within the period; null without any. */
  readonly first: number | null;
  readonly last: number | null;
  /** The last entry before the first one at or after the start of the period; 0 without one. */
  readonly before: number;
  /** The first entry behind the period; null without one. */
  readonly after: number | null;
}

export async function findPeriodRange(
  pool: Pool,
  workspaceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PeriodRange> {
  const { rows } = await pool.query<PeriodRange>(
    `WITH start AS (SELECT min(seq) AS seq FROM chain_entry WHERE workspace_id = $1 AND at >= $2),
       within AS (SELECT min(seq) AS first, max(seq) AS last FROM chain_entry
         WHERE workspace_id = $1 AND at >= $2 AND at < $3),
       before AS (SELECT coalesce(max(one.seq), 0) AS seq FROM chain_entry AS one
         WHERE workspace_id = $1 AND one.seq < coalesce((SELECT seq FROM start), 9007199254740991))
     SELECT within.first::float8 AS first, within.last::float8 AS last, before.seq::float8 AS before,
       (SELECT min(one.seq) FROM chain_entry AS one
         WHERE workspace_id = $1 AND one.seq > coalesce(within.last, before.seq))::float8 AS after
     FROM within, before`,
    [workspaceId, from, to],
  );
  return rows[0] ?? { first: null, last: null, before: 0, after: null };
}

export interface PeriodCounts {
  readonly count: number;
  readonly batches: number;
  readonly dispatches: number;
}

export async function countPeriod(
  pool: Pool,
  workspaceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PeriodCounts> {
  const { rows } = await pool.query<PeriodCounts>(
    `SELECT (acts.entries + batch.entries)::float8 AS count, (acts.batches + batch.entries)::float8 AS batches,
       (acts.dispatches + batch.dispatches)::float8 AS dispatches
     FROM (SELECT count(*) AS entries, count(*) FILTER (WHERE kind = '${BATCH_KIND}') AS batches,
         coalesce(sum(substring(body FROM '"count":(\\d{1,9})')::bigint) FILTER (WHERE kind = '${BATCH_KIND}'), 0) AS dispatches
       FROM audit_entry WHERE workspace_id = $1 AND at >= $2 AND at < $3) AS acts,
       (SELECT count(*) AS entries, coalesce(sum(chain_batch.count), 0) AS dispatches
       FROM chain_batch WHERE workspace_id = $1 AND recorded_at >= $2 AND recorded_at < $3) AS batch`,
    [workspaceId, from, to],
  );
  return rows[0] ?? { count: 0, batches: 0, dispatches: 0 };
}

export interface RemovalRow {
  readonly seq: number;
  readonly at: Date;
  readonly kind: string;
  readonly by: string;
  readonly body: string;
  readonly total: number;
}

/** The entries of the period about removed data, the oldest first. */
export async function listRemovals(
  pool: Pool,
  workspaceId: string,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<RemovalRow[]> {
  const { rows } = await pool.query<RemovalRow>(
    `SELECT one.seq::float8 AS seq, one.at, one.kind, one.body, count(*) OVER ()::float8 AS total,
       CASE WHEN actor_kind = 'person' THEN coalesce((SELECT coalesce(nullif(named.names ->> 'name', ''), named.names ->> 'address')
         FROM audit_name AS named WHERE named.workspace_id = $1 AND named.seq = one.seq AND named.person = actor_id), '${ERASED_PERSON}')
       ELSE coalesce(actor_name, '${SERVER_ACTOR}') END AS by
     FROM chain_entry AS one WHERE workspace_id = $1 AND at >= $2 AND at < $3 AND kind = ANY ($4::text[])
     ORDER BY one.seq LIMIT $5`,
    [workspaceId, from, to, REMOVAL_KINDS, limit],
  );
  return rows;
}
