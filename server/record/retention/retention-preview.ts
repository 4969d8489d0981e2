/** Counts what would go, up to a bound: no statement reads more rows than that. */
import type { Pool } from "../../platform/db.ts";
import {
  COUNTED_MAX,
  RETENTION_KINDS,
  type RetentionCount,
  type RetentionDays,
  type RetentionKind,
} from "../schema.ts";
import { held } from "./holds.ts";
import { cutoff } from "./retention.ts";
import { agedTables } from "./retention-tables.ts";

/** The rows that would go now if these were the settings. */
export async function countRetention(
  pool: Pool,
  workspaceId: string,
  days: RetentionDays,
  nowMs: number,
): Promise<RetentionCount[]> {
  const counts: RetentionCount[] = [];
  for (const kind of RETENTION_KINDS) {
    const kept = days[kind];
    if (kept === null) counts.push({ kind, drop: 0, held: 0, isMore: false });
    else counts.push({ kind, ...(await countOld(pool, workspaceId, kind, cutoff(nowMs, kept))) });
  }
  return counts;
}

async function countOld(pool: Pool, workspaceId: string, kind: RetentionKind, before: Date) {
  const sum = { drop: 0, held: 0, isMore: false };
  for (const { table, at, isHoldable } of agedTables(kind)) {
    const limit = COUNTED_MAX - sum.drop - sum.held;
    const isHeld = isHoldable ? held("one", `one.${at}`) : "false";
    const { rows } = await pool.query<{ total: number; held: number }>(
      `SELECT count(*)::float8 AS total, count(*) FILTER (WHERE ${isHeld})::float8 AS held FROM (
         SELECT * FROM ${table} AS two WHERE two.workspace_id = $1 AND two.${at} < $2 LIMIT $3) AS one`,
      [workspaceId, before, limit + 1],
    );
    const { total = 0, held: stay = 0 } = rows[0] ?? {};
    sum.held += stay;
    sum.drop += total - stay;
    if (total > limit) return { ...sum, drop: Math.min(sum.drop, COUNTED_MAX), isMore: true };
  }
  return sum;
}
