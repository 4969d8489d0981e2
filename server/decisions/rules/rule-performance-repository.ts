/** Reads of what hooks did: sums per hour and day, and the outcomes that have a row of their own. */
import type { Pool } from "../../platform/db.ts";
import {
  type HourBuckets,
  type HourRollupRange,
  selectHourRollupsParameters,
  selectHourRollupsSql,
} from "../../recording/index.ts";
import type { RuleKey, RuleRange } from "./schema.ts";

export interface RuleCountRow {
  readonly policy: string;
  readonly event: string;
  readonly hook: string;
  readonly outcome: string;
  readonly latency: number;
  readonly count: string;
}

/** One row for each rule, outcome and latency bucket; of the `limit` rules that fired most. */
export async function listRuleCounts(
  pool: Pool,
  workspaceId: string,
  stretch: HourRollupRange,
  limit: number,
): Promise<RuleCountRow[]> {
  const found = await pool.query<RuleCountRow>({
    text: `WITH cells AS MATERIALIZED (
             SELECT policy, event, hook, outcome, latency, sum(count) AS count
             FROM (${selectHourRollupsSql("hook", "policy, event, hook, outcome, latency, count")}) AS cell GROUP BY 1, 2, 3, 4, 5
           ), top AS (
             SELECT policy, event, hook FROM cells GROUP BY 1, 2, 3 ORDER BY sum(count) DESC, 1, 2, 3 LIMIT $6
           )
           SELECT policy, event, hook, outcome, latency, count FROM cells JOIN top USING (policy, event, hook)`,
    values: [...selectHourRollupsParameters(workspaceId, stretch), limit],
  });
  return found.rows;
}

export interface OverturnedRow {
  readonly policy: string;
  readonly event: string;
  readonly hook: string;
  readonly outcome: string;
  readonly count: number;
}

/** The outcomes that people overturned, within the range in which the rule spoke. */
export async function listOverturnedOutcomes(
  pool: Pool,
  workspaceId: string,
  range: RuleRange,
  limit: number,
): Promise<OverturnedRow[]> {
  const found = await pool.query<OverturnedRow>({
    text: `SELECT policy, event, hook, outcome, count(*)::int AS count FROM hook_outcome
           WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3 AND overturned_at IS NOT NULL
           GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC LIMIT $4`,
    values: [workspaceId, range.from, range.to, limit],
  });
  return found.rows;
}

export interface PointRow {
  readonly at: Date;
  readonly outcome: string;
  readonly latency: number;
  readonly count: string;
}

export async function listOutcomePoints(
  pool: Pool,
  workspaceId: string,
  { policy, event, hook }: RuleKey,
  { from, to, bucketMs, unit }: HourBuckets,
): Promise<PointRow[]> {
  const found = await pool.query<PointRow>({
    text: `SELECT date_bin($4::bigint * interval '1 millisecond', bucket, timestamptz '1970-01-01Z') AS at, outcome, latency,
             sum(count) AS count
           FROM hook_${unit} WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3
             AND policy = $5 AND event = $6 AND hook = $7
           GROUP BY 1, 2, 3 ORDER BY 1`,
    values: [workspaceId, from, to, bucketMs, policy, event, hook],
  });
  return found.rows;
}

export interface OutcomeRow {
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly place: number;
  readonly agent_name: string;
  readonly tool_name: string | null;
  readonly outcome: string;
  readonly revision: number;
  readonly overturned_by: string | null;
  readonly excerpt: string | null;
  /** The stored hooks of its dispatch; null when retention dropped it. */
  readonly hooks: string | null;
}

export interface Wanted {
  readonly outcomes: readonly string[];
  readonly isOverturned: boolean;
}

/** The newest of one rule, among the newest `SEARCH_MAX` that have a row. */
export async function listNewestOutcomes(
  pool: Pool,
  workspaceId: string,
  { policy, event, hook }: RuleKey,
  range: RuleRange,
  wanted: Wanted,
  limit: number,
): Promise<OutcomeRow[]> {
  const found = await pool.query<OutcomeRow>({
    text: `WITH newest AS (
             SELECT * FROM (
               SELECT * FROM hook_outcome WHERE workspace_id = $1 AND policy = $2 AND hook = $3
                 AND occurred_at >= $4 AND occurred_at < $5
               ORDER BY occurred_at DESC, dispatch_id DESC, place DESC LIMIT ${SEARCH_MAX}
             ) AS candidate
             WHERE event = $6 AND outcome = ANY ($7) AND (NOT $8::boolean OR overturned_at IS NOT NULL)
             ORDER BY occurred_at DESC, dispatch_id DESC, place DESC LIMIT $9
           )
           SELECT newest.occurred_at, newest.dispatch_id, newest.place, newest.agent_name, newest.tool_name, newest.outcome,
             newest.revision, newest.overturned_by, decision.excerpt, dispatch.hooks
           FROM newest
           LEFT JOIN tool_decision AS decision ON decision.workspace_id = $1
             AND decision.occurred_at = newest.occurred_at AND decision.dispatch_id = newest.dispatch_id
           LEFT JOIN dispatch ON dispatch.workspace_id = $1
             AND dispatch.occurred_at = newest.occurred_at AND dispatch.id = newest.dispatch_id
           ORDER BY newest.occurred_at DESC, newest.dispatch_id DESC, newest.place DESC`,
    values: [workspaceId, policy, hook, range.from, range.to, event, wanted.outcomes, wanted.isOverturned, limit],
  });
  return found.rows;
}
const SEARCH_MAX = 5_000;
