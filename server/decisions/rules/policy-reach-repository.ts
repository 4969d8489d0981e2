/** Reads behind the reach of a policy: the newest calls of its agents, and the hours in which its hooks were selected. */
import type { Pool } from "../../platform/db.ts";

/** Dispatches that are counted, the newest. */
export const COUNTED_CALLS_MAX = 5_000;

export interface CallCountRow {
  readonly agent_id: string;
  readonly event: string;
  readonly lane: string;
  readonly count: number;
}

/** Live dispatches on these events since `from`, by agent, event and lane. `agentIds` null: of every agent. */
export async function listCallCounts(
  pool: Pool,
  workspaceId: string,
  of: { readonly events: readonly string[]; readonly agentIds: readonly string[] | null; readonly from: Date },
): Promise<CallCountRow[]> {
  const found = await pool.query<CallCountRow>({
    name: "rules_asked",
    text: `SELECT agent_id, event, lane, count(*)::int AS count FROM (
             SELECT agent_id, event, lane FROM dispatch
             WHERE workspace_id = $1 AND occurred_at >= $2 AND event = ANY($3::text[]) AND origin = 'dispatch'
               AND (facts IS NULL OR position('"drill":true' IN facts) = 0)
               AND ($4::uuid[] IS NULL OR agent_id = ANY($4::uuid[]))
             ORDER BY occurred_at DESC, id DESC LIMIT ${COUNTED_CALLS_MAX}
           ) AS newest GROUP BY agent_id, event, lane`,
    values: [workspaceId, of.from, of.events, of.agentIds],
  });
  return found.rows;
}

export interface HookRunRow {
  readonly event: string;
  readonly hook: string;
  /** Selected, and selected and started, since the day before. */
  readonly reached: number;
  readonly ran: number;
  /** The beginning of the hour or day of the last run; null when it did not run since `from`. */
  readonly last_ran: Date | null;
  readonly is_hour: boolean;
}

/** The hooks of a policy that were selected since `from`; counts are of the hours since `dayFrom`. */
export async function listHookRuns(
  pool: Pool,
  workspaceId: string,
  policy: string,
  { from, dayFrom }: { readonly from: Date; readonly dayFrom: Date },
): Promise<HookRunRow[]> {
  const found = await pool.query<HookRunRow>({
    name: "rules_ran",
    text: `WITH cell AS (
             SELECT event, hook, outcome, count, bucket, true AS is_hour FROM hook_hour
             WHERE workspace_id = $1 AND bucket >= date_trunc('hour', $3::timestamptz, 'UTC') AND policy = $2
             UNION ALL
             SELECT event, hook, outcome, 0, bucket, false FROM hook_day
             WHERE workspace_id = $1 AND bucket >= date_trunc('day', $4::timestamptz, 'UTC')
               AND bucket < date_trunc('hour', $3::timestamptz, 'UTC') AND policy = $2
           )
           SELECT event, hook, sum(count)::float8 AS reached,
             coalesce(sum(count) FILTER (WHERE outcome <> 'skipped'), 0)::float8 AS ran,
             coalesce(max(bucket) FILTER (WHERE is_hour AND outcome <> 'skipped'), max(bucket) FILTER (WHERE outcome <> 'skipped')) AS last_ran,
             coalesce(bool_or(is_hour) FILTER (WHERE outcome <> 'skipped'), false) AS is_hour
           FROM cell GROUP BY event, hook LIMIT 1000`,
    values: [workspaceId, policy, dayFrom, from],
  });
  return found.rows;
}

export interface PolicyRunRow {
  readonly policyId: string;
  /** The beginning of the hour or day of the last run. */
  readonly at: Date;
  readonly isHour: boolean;
}

/** The last run of each policy since `from`; in hours since `dayFrom`. A policy is known by its present name. */
export async function listLastRuns(
  pool: Pool,
  workspaceId: string,
  { from, dayFrom, limit }: { readonly from: Date; readonly dayFrom: Date; readonly limit: number },
): Promise<PolicyRunRow[]> {
  const found = await pool.query<PolicyRunRow>({
    name: "rules_last_runs",
    text: `WITH ran AS (
             SELECT policy, max(bucket) AS bucket, true AS is_hour FROM hook_hour
             WHERE workspace_id = $1 AND bucket >= date_trunc('hour', $3::timestamptz, 'UTC') AND outcome <> 'skipped'
             GROUP BY policy
             UNION ALL
             SELECT policy, max(bucket), false FROM hook_day
             WHERE workspace_id = $1 AND bucket >= date_trunc('day', $2::timestamptz, 'UTC')
               AND bucket < date_trunc('hour', $3::timestamptz, 'UTC') AND outcome <> 'skipped'
             GROUP BY policy
           )
           SELECT DISTINCT ON (policy.id) policy.id AS "policyId", ran.bucket AS at, ran.is_hour AS "isHour"
           FROM ran JOIN policy ON policy.workspace_id = $1 AND policy.name = ran.policy
           ORDER BY policy.id, ran.is_hour DESC LIMIT $4`,
    values: [workspaceId, from, dayFrom, limit],
  });
  return found.rows;
}
