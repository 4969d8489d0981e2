/** Reads of the failures that a policy's profile let pass, and of the time for which they are on record. */
import type { Pool } from "../../platform/db.ts";
import { HOOK_RULE_VERSION } from "../../recording/index.ts";

export interface ToleratedRow {
  readonly event: string;
  readonly hook: string;
  readonly count: number;
}

/** The tolerated failures of a policy's hooks since the beginning of a day (UTC); one row for each hook. */
export async function listToleratedFailures(
  pool: Pool,
  workspaceId: string,
  policy: string,
  dayFrom: Date,
  limit: number,
): Promise<ToleratedRow[]> {
  const found = await pool.query<ToleratedRow>({
    name: "tolerated_failures",
    text: `SELECT event, hook, sum(count)::float8 AS count FROM hook_day
           WHERE workspace_id = $1 AND bucket >= date_trunc('day', $2::timestamptz, 'UTC') AND policy = $3 AND outcome = 'tolerated'
           GROUP BY event, hook ORDER BY 3 DESC LIMIT $4`,
    values: [workspaceId, dayFrom, policy, limit],
  });
  return found.rows;
}

/**
 * The start of the record of these failures: the release that counts them, or the limit of retention. Null if it is
 * unknown. `isWhole`: the workspace is younger than the record.
 */
export async function findToleratedStart(
  pool: Pool,
  workspaceId: string,
): Promise<{ readonly since: Date | null; readonly keptDays: number | null; readonly isWhole: boolean }> {
  const found = await pool.query<{ since: Date | null; kept_days: number | null; is_whole: boolean }>({
    name: "tolerated_start",
    text: `SELECT fold.since, retention.days AS kept_days, coalesce(workspace.created_at >= fold.since, false) AS is_whole
           FROM workspace
           LEFT JOIN projection_fold AS fold ON fold.table_name = 'hook_day' AND fold.version = $2
           LEFT JOIN retention ON retention.workspace_id = workspace.id AND retention.kind = 'figures'
           WHERE workspace.id = $1`,
    values: [workspaceId, HOOK_RULE_VERSION],
  });
  const [row] = found.rows;
  return { since: row?.since ?? null, keptDays: row?.kept_days ?? null, isWhole: row?.is_whole ?? false };
}
