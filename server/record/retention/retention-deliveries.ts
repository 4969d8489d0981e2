/**
 * The names of event deliveries, which make repeats harmless. A name is kept for the retry window after its arrival,
 * and no longer than its dispatch; both are processed by partition, in limited parts.
 */
import type { Pool } from "../../platform/db.ts";
import { STEP_ROWS } from "./retention-repository.ts";

/** A delivery within this many days after its first arrival is a repeat, whatever the day of its event. */
export const RETRY_WINDOW_DAYS = 90;
const DAY_MS = 86_400_000;
const BLOCKS = 512;

/** The tables that hold rows of `delivery`: its partitions, or the table itself during an upgrade. */
async function listParts(pool: Pool): Promise<{ name: string; blocks: number }[]> {
  const { rows } = await pool.query<{ name: string; blocks: number }>(
    `SELECT part.relname AS name, (pg_relation_size(part.oid) / current_setting('block_size')::int)::float8 AS blocks
     FROM pg_partition_tree('delivery') JOIN pg_class AS part ON part.oid = relid WHERE isleaf ORDER BY part.relname`,
  );
  return rows;
}

/** Removes deliveries of removed dispatches, for workspaces that drop them; returns their number. */
export async function removeOrphans(pool: Pool, beforeOf: ReadonlyMap<string, Date>): Promise<number> {
  let removed = 0;
  for (const { name, blocks } of await listParts(pool))
    for (let block = 0; block < blocks; block += BLOCKS) {
      const done = await pool.query(
        `DELETE FROM ${name} AS one USING unnest($3::uuid[], $4::timestamptz[]) AS rule (workspace_id, before)
         WHERE one.ctid >= $1::tid AND one.ctid < $2::tid AND one.workspace_id = rule.workspace_id
           AND one.occurred_at < rule.before AND NOT EXISTS (SELECT FROM dispatch WHERE dispatch.workspace_id = one.workspace_id
             AND dispatch.occurred_at = one.occurred_at AND dispatch.id = one.dispatch_id)`,
        [`(${block},0)`, `(${block + BLOCKS},0)`, [...beforeOf.keys()], [...beforeOf.values()]],
      );
      removed += done.rowCount ?? 0;
    }
  return removed;
}

/** Removes deliveries whose retry window is over; returns their number. */
export async function removeExpired(pool: Pool, nowMs: number, isEnding: () => boolean): Promise<number> {
  const before = new Date(nowMs - RETRY_WINDOW_DAYS * DAY_MS);
  let removed = 0;
  for (const { name } of await listParts(pool))
    for (let gone = STEP_ROWS; gone === STEP_ROWS && !isEnding(); removed += gone) {
      const done = await pool.query(
        `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE received_at < $1 LIMIT ${STEP_ROWS}))`,
        [before],
      );
      gone = done.rowCount ?? 0;
    }
  return removed;
}
