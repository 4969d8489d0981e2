/**
 * The monthly partitions of `dispatch`: those that no workspace wants, the rows that a step removes, and the drop of a
 * whole month.
 */
import { z } from "zod";
import type { Pool, PoolClient } from "../../platform/db.ts";
import { held } from "./holds.ts";
import { STEP_ROWS } from "./retention-repository.ts";

export interface Month {
  /** The partition. */
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
}

const NAME = /^dispatch_(\d{4})_(\d{2})$/;

/** Those that exist, the oldest first. */
export async function listMonths(pool: Pool): Promise<Month[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT child.relname AS name FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
     WHERE inhparent = 'dispatch'::regclass ORDER BY child.relname`,
  );
  return rows.flatMap(({ name }) => {
    const [, year, month] = NAME.exec(name) ?? [];
    if (year === undefined || month === undefined) return [];
    const at = (ahead: number) => new Date(Date.UTC(Number(year), Number(month) - 1 + ahead));
    return [{ name, from: at(0), to: at(1) }];
  });
}

/** True if a workspace has a row in the month: one probe of an index. */
export async function hasRows(pool: Pool, { name }: Month, workspaceId: string): Promise<boolean> {
  const { rows } = await pool.query<{ has: boolean }>(
    `SELECT EXISTS (SELECT FROM ${name} WHERE workspace_id = $1) AS has`,
    [workspaceId],
  );
  return rows[0]?.has === true;
}

/** True if a hold of the workspace overlaps the month, regardless of the rows it covers. */
export async function hasHold(pool: Pool, { from, to }: Month, workspaceId: string): Promise<boolean> {
  const { rows } = await pool.query<{ has: boolean }>(
    `SELECT EXISTS (SELECT FROM legal_hold WHERE workspace_id = $1 AND released_at IS NULL
       AND (from_at IS NULL OR from_at < $3) AND (to_at IS NULL OR to_at > $2)) AS has`,
    [workspaceId, from, to],
  );
  return rows[0]?.has === true;
}

export interface Removed {
  /** With a leaf in the chain, and from before leaves. */
  readonly proven: number;
  readonly unproven: number;
}

/** The last row that was processed. */
export interface RowPosition {
  readonly session: string;
  readonly at: string;
}
const BEFORE_ALL: RowPosition = { session: "", at: "-infinity" };

export interface RemovedRange {
  readonly workspaceId: string;
  readonly before: Date;
  readonly after: RowPosition | null;
  /** A number of the chain: rows of batches behind it stay. */
  readonly upTo: number;
}

/**
 * Removes rows of a workspace from before `before` in the order of their sessions; held rows are skipped once per run.
 */
export async function removeFromMonth(
  client: PoolClient,
  { name }: Month,
  { workspaceId, before, after, upTo }: RemovedRange,
): Promise<Removed & { readonly next: RowPosition | null }> {
  const { session, at } = after ?? BEFORE_ALL;
  const { rows } = await client.query<Removed & { seen: number; last: unknown }>(
    `WITH old AS MATERIALIZED (SELECT one.ctid AS row, one.session_id, one.occurred_at,
         NOT ${held("one", "one.occurred_at")} AND (one.batch IS NULL OR one.batch NOT IN (
           SELECT batch FROM chain_batch WHERE workspace_id = $1 AND seq > $5)) AS goes
       FROM ${name} AS one WHERE one.workspace_id = $1 AND one.occurred_at < $2
         AND (one.session_id, one.occurred_at) > ($3, $4::timestamptz)
       ORDER BY one.session_id, one.occurred_at FETCH FIRST ${STEP_ROWS} ROWS WITH TIES),
     gone AS (DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT row FROM old WHERE goes)) RETURNING batch)
     SELECT (SELECT count(*) FROM old)::float8 AS seen,
       (SELECT json_build_object('session', session_id, 'at', occurred_at::text) FROM old
        ORDER BY session_id DESC, occurred_at DESC LIMIT 1) AS last,
       count(*) FILTER (WHERE batch IS NOT NULL)::float8 AS proven,
       count(*) FILTER (WHERE batch IS NULL)::float8 AS unproven FROM gone`,
    [workspaceId, before, session, at, upTo],
  );
  const [{ proven = 0, unproven = 0, seen = 0, last = null } = {}] = rows;
  const next = seen < STEP_ROWS ? null : rowPosition.parse(last);
  return { proven, unproven, next };
}
const rowPosition = z.object({ session: z.string(), at: z.string() });

/** From here on `lockMonth` detects inserted and deleted rows. */
export async function watchMonthForChanges(client: PoolClient, { name }: Month): Promise<void> {
  await client.query("SELECT quarterdeck_close_month($1)", [name]);
}

const COUNT_BLOCKS = 4_096;

/** The rows of each workspace in the month, counted a bounded part of the table at a time. */
export async function countMonth(pool: Pool, { name }: Month): Promise<Map<string, Removed>> {
  const counts = new Map<string, Removed>();
  const { rows: sizes } = await pool.query<{ blocks: number }>(
    "SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::int)::float8 AS blocks",
    [name],
  );
  for (let block = 0; block < (sizes[0]?.blocks ?? 0); block += COUNT_BLOCKS) {
    const { rows } = await pool.query<Removed & { workspaceId: string }>(
      `SELECT workspace_id AS "workspaceId", count(batch)::float8 AS proven, (count(*) - count(batch))::float8 AS unproven
       FROM ${name} WHERE ctid >= $1::tid AND ctid < $2::tid GROUP BY workspace_id`,
      [`(${block},0)`, `(${block + COUNT_BLOCKS},0)`],
    );
    for (const { workspaceId, proven, unproven } of rows) {
      const sum = counts.get(workspaceId) ?? { proven: 0, unproven: 0 };
      counts.set(workspaceId, { proven: sum.proven + proven, unproven: sum.unproven + unproven });
    }
  }
  return counts;
}

/**
 * Locks the month until the transaction ends; false when it has changed since it was closed. Errors: 55P03 after a
 * second.
 */
export async function lockMonth(client: PoolClient, { name }: Month): Promise<boolean> {
  const { rows } = await client.query<{ same: boolean }>("SELECT quarterdeck_lock_month($1) AS same", [name]);
  return rows[0]?.same === true;
}

export async function dropMonth(client: PoolClient, { name }: Month): Promise<void> {
  await client.query("SELECT quarterdeck_drop_month($1)", [name]);
}
