/** Reads of the outcomes of one rule by revision, and of the revisions themselves. */
import type { Pool } from "../../platform/db.ts";
import {
  type HourRollupRange,
  REVISION_RULE_VERSION,
  REVISION_SLOTS,
  selectHourRollupsParameters,
  selectHourRollupsSql,
} from "../../recording/index.ts";
import type { RuleKey } from "./schema.ts";

export interface RevisionCountRow {
  /** 0: of an older revision than those with a line, or of an unknown one. Null: of every revision, counted without. */
  readonly revision: number | null;
  readonly outcome: string;
  readonly latency: number;
  readonly count: string;
  /** The newest revision without a line; null in rows that do not say. */
  readonly merged_up_to: number | null;
}

const OF_RULE = "policy = $6 AND event = $7 AND hook = $8";

/**
 * One row for each revision, outcome and latency bucket. Whole figures and those by revision are of one instant. A
 * revision has a line only if none of its runs can be among the earlier ones of a slot.
 */
export async function listRevisionCounts(
  pool: Pool,
  workspaceId: string,
  stretch: HourRollupRange,
  { policy, event, hook }: RuleKey,
): Promise<RevisionCountRow[]> {
  const found = await pool.query<RevisionCountRow>({
    text: `WITH cell AS MATERIALIZED (
             SELECT revision, outcome, latency, sum(count) AS count, sum(earlier) AS earlier
             FROM (${selectHourRollupsSql("hook_revision", "revision, outcome, latency, count, earlier", OF_RULE)}) AS part
             GROUP BY 1, 2, 3
           ), cut AS (
             SELECT greatest(0, (SELECT max(revision) - ${REVISION_SLOTS} FROM cell WHERE earlier > 0),
               (SELECT revision FROM cell GROUP BY 1 ORDER BY 1 DESC OFFSET ${REVISION_SLOTS} LIMIT 1)) AS revision
           )
           SELECT CASE WHEN cell.revision > cut.revision THEN cell.revision ELSE 0 END AS revision, outcome, latency, sum(count) AS count,
             max(cut.revision) AS merged_up_to
           FROM cell CROSS JOIN cut GROUP BY 1, 2, 3
           UNION ALL SELECT 0, outcome, latency, sum(earlier), NULL FROM cell WHERE earlier > 0 GROUP BY 2, 3
           UNION ALL SELECT NULL, outcome, latency, sum(count), NULL
           FROM (${selectHourRollupsSql("hook", "outcome, latency, count", OF_RULE)}) AS whole GROUP BY 2, 3`,
    values: [...selectHourRollupsParameters(workspaceId, stretch), policy, event, hook],
  });
  return found.rows;
}

export interface PublishedRow {
  readonly number: number;
  readonly published_at: Date;
  readonly is_live: boolean;
  readonly is_canary: boolean;
  readonly in_force_since: Date | null;
}

/** The published ones among `numbers`, the live one, the canary, and the one before each of these two. */
export async function listPublished(
  pool: Pool,
  workspaceId: string,
  policy: string,
  numbers: readonly number[],
): Promise<PublishedRow[]> {
  const found = await pool.query<PublishedRow>({
    text: `SELECT revision.number, revision.created_at AS published_at, revision.number = live_revision AS is_live,
             revision.number IS NOT DISTINCT FROM canary_revision AS is_canary,
             CASE WHEN revision.number = live_revision THEN (
               SELECT at FROM audit_entry WHERE workspace_id = $1 AND kind <> 'dispatches_recorded'
                 AND kind IN ('policy_published', 'policy_rolled_back', 'policy_canary_ended') AND target = 'policy/' || policy.id
                 AND coalesce(body::jsonb->>'to', body::jsonb->>'revision') = revision.number::text
               ORDER BY seq DESC LIMIT 1)
             WHEN revision.number = canary_revision THEN canary_since END AS in_force_since
           FROM policy JOIN policy_revision AS revision ON revision.workspace_id = $1 AND revision.policy_id = policy.id
           WHERE policy.workspace_id = $1 AND policy.name = $2 AND (revision.number = ANY ($3)
             OR revision.number IN (live_revision, live_revision - 1, canary_revision, canary_revision - 1))`,
    values: [workspaceId, policy, numbers],
  });
  return found.rows;
}

/** The time from which on runs are counted by revision; null for a workspace that is younger. */
export async function findRevisionStart(pool: Pool, workspaceId: string): Promise<Date | null> {
  const found = await pool.query<{ since: Date }>({
    name: "revision_start",
    text: `SELECT fold.since FROM workspace JOIN projection_fold AS fold
             ON fold.table_name = 'hook_revision_hour' AND fold.version = $2
           WHERE workspace.id = $1 AND workspace.created_at < fold.since`,
    values: [workspaceId, REVISION_RULE_VERSION],
  });
  return found.rows[0]?.since ?? null;
}
