/**
 * The names under which events were delivered: what makes a repeat harmless. A name is kept for the retry window after it came,
 * and no longer than its dispatch is kept; both are found a partition and a bounded part of it at a time.
 */
import type { Pool } from "../../platform/db.ts";
import { STEP_ROWS } from "./retention-repository.ts";

/** A delivery that comes again within so many days after it first came is a repeat, on whichever day its event was. */
export const RETRY_WINDOW_DAYS = 90;
const DAY_MS = 86_400_000;
const BLOCKS = 512;

/** The tables that hold rows of `delivery`: its partitions, or itself in an installation that is being brought up to date. */
async function listParts(pool: Pool): Promise<{ name: string; blocks: number }[]> {
  const { rows } = await pool.query<{ name: string; blocks: number }>(
    `SELECT part.relname AS name, (pg_relation_size(part.oid) / current_setting('block_size')::int)::float8 AS blocks
     FROM pg_partition_tree('delivery') JOIN pg_class AS part ON part.oid = relid WHERE isleaf ORDER BY part.relname`,
  );
  return rows;
}

/** Forgets deliveries of dispatches that went, of workspaces that drop them; answers how many. */
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

/** Forgets deliveries whose retry window is over; answers how many. */
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
