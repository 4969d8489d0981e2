/** The recorded calls of a live test, read forwards in the order of the chain. */
import type { Pool } from "../../platform/db.ts";
import type { ReplayRow } from "../replay-row.ts";
import { CALL_COLUMNS, type CallContext, type CallRow, completeCalls } from "../run-calls.ts";

export interface CallBatch {
  readonly seq: number;
  readonly ids: readonly string[];
  readonly instants: readonly Date[];
}

/** The next batches of the chain, until they have this many records. A number is visible only with all before it. */
export async function listBatches(
  pool: Pool,
  workspaceId: string,
  afterSeq: number,
  recordsMin: number,
): Promise<CallBatch[]> {
  const { rows } = await pool.query<CallBatch>({
    name: "live_test_batches",
    text: `SELECT seq::float8 AS seq, ids, instants FROM chain_batch WHERE workspace_id = $1 AND seq > $2 AND ids IS NOT NULL
           ORDER BY chain_batch.seq LIMIT $3`,
    values: [workspaceId, afterSeq, recordsMin],
  });
  let records = 0;
  const enough = rows.findIndex(({ ids }) => {
    records += ids.length;
    return records >= recordsMin;
  });
  return enough < 0 ? rows : rows.slice(0, enough + 1);
}

const NAMED = (part: string) => `unnest(${part}) WITH ORDINALITY AS named (id, at, place)`;
const IS_NAMED = "occurred_at = named.at AND id = named.id";

/** The calls of batches that have one of the events. Removed calls are left out. */
export async function listCallsOf(
  pool: Pool,
  workspaceId: string,
  batches: readonly CallBatch[],
  { events, ...context }: CallContext & { readonly events: readonly string[] },
): Promise<ReplayRow[]> {
  const { rows } = await pool.query<CallRow>({
    name: "live_test_calls",
    // The limit makes PostgreSQL look up one row after the other.
    text: `SELECT one.* FROM ${NAMED("$2::uuid[], $3::timestamptz[]")}, LATERAL (
             SELECT ${CALL_COLUMNS} FROM dispatch WHERE workspace_id = $1 AND ${IS_NAMED} AND event = ANY($4::text[]) LIMIT 1) AS one
           ORDER BY named.place`,
    values: [workspaceId, batches.flatMap(({ ids }) => ids), batches.flatMap(({ instants }) => instants), events],
  });
  return completeCalls(pool, workspaceId, rows, context);
}

/** The number of the newest batch behind which at least `kept` records wait; null if fewer wait. */
export async function findOverflow(
  pool: Pool,
  workspaceId: string,
  afterSeq: number,
  kept: number,
): Promise<number | null> {
  const { rows } = await pool.query<{ seq: number }>({
    name: "live_test_overflow",
    text: `SELECT seq FROM (
             SELECT seq::float8 AS seq, sum(count) OVER (ORDER BY newest.seq DESC) - count AS behind FROM (
               SELECT seq, count FROM chain_batch WHERE workspace_id = $1 AND seq > $2 AND ids IS NOT NULL
               ORDER BY chain_batch.seq DESC LIMIT $3::integer + 1) AS newest) AS waiting
           WHERE behind >= $3 ORDER BY seq DESC LIMIT 1`,
    values: [workspaceId, afterSeq, kept],
  });
  return rows[0]?.seq ?? null;
}

export interface SkippedPart {
  /** The number of the last batch of the part; null without a batch. */
  readonly seq: number | null;
  readonly calls: number;
}

/** Batches whose calls are counted in one statement. */
const BATCHES_MAX = 1_000;

/** The calls of the next batches up to a number, counted without their inputs. */
export async function countSkipped(
  pool: Pool,
  workspaceId: string,
  {
    afterSeq,
    upToSeq,
    events,
  }: { readonly afterSeq: number; readonly upToSeq: number; readonly events: readonly string[] },
): Promise<SkippedPart> {
  const { rows } = await pool.query<SkippedPart>({
    name: "live_test_skipped",
    text: `WITH part AS (
             SELECT seq, ids, instants FROM chain_batch WHERE workspace_id = $1 AND seq > $2 AND seq <= $3 AND ids IS NOT NULL
             ORDER BY chain_batch.seq LIMIT ${BATCHES_MAX})
           SELECT (SELECT max(seq)::float8 FROM part) AS seq, (SELECT count(*)::float8 FROM part, ${NAMED("ids, instants")}, LATERAL (
             SELECT FROM dispatch WHERE workspace_id = $1 AND ${IS_NAMED} AND event = ANY($4::text[]) LIMIT 1) AS one) AS calls`,
    values: [workspaceId, afterSeq, upToSeq, events],
  });
  return rows[0] ?? { seq: null, calls: 0 };
}
