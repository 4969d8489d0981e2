/**
 * Reads the rollups, the newest denials and the setup. No query scans `dispatch`. Sums over a range are not prepared
 * statements: planned each time, they know the length of the range, and run in parallel for a long one.
 */
import { ERASED_PERSON } from "../audit/person-names.ts";
import { OUTCOME_OF_ROWS } from "../decisions/index.ts";
import type { Pool } from "../platform/db.ts";
import { enforcedSql } from "../policies/index.ts";
import { type Buckets, type RollupRange, selectRollupsParameters, selectRollupsSql } from "../recording/index.ts";
import type { OverviewRange } from "./schema.ts";

const SUMMED = [
  "dispatches",
  "gates",
  "gates_without_opinion",
  "gates_without_rule",
  "gates_denied",
  "gates_asked",
  "gate_denied",
  "hooks_failed",
  "allowed",
  "denied",
  "canceled",
  "prompted",
  "compactions",
  "calls_priced",
  "calls_free",
  "calls_unpriced",
  "cost_nano",
] as const;
/** Sums of bigint columns arrive as digits. */
export type SumRow = Record<(typeof SUMMED)[number], string>;

const COLUMNS = SUMMED.join(", ");
const sums = (names: readonly string[]) => names.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(", ");

/** Summed by agent first, so that the agents are counted in passing. */
export async function findSums(pool: Pool, workspaceId: string, stretch: RollupRange) {
  const found = await pool.query<SumRow & { agents: string }>({
    text: `SELECT ${sums(SUMMED)}, count(*) AS agents FROM (
             SELECT agent_name, ${sums(SUMMED)} FROM (${selectRollupsSql(`agent_name, ${COLUMNS}`)}
             ) AS cell GROUP BY agent_name
           ) AS agent`,
    values: selectRollupsParameters(workspaceId, stretch),
  });
  return found.rows[0];
}

const DRAWN = [
  "dispatches",
  "gates",
  "gates_without_opinion",
  "gates_without_rule",
  "gates_denied",
  "gates_asked",
  "gate_denied",
  "denied",
  "prompted",
  "hooks_failed",
  "compactions",
  "cost_nano",
] as const;
export type PointRow = Record<(typeof DRAWN)[number], string> & { at: Date };

/** One row per bucket in which anything happened. */
export async function listPoints(pool: Pool, workspaceId: string, buckets: Buckets): Promise<PointRow[]> {
  const found = await pool.query<PointRow>({
    text: `SELECT date_bin($4::bigint * interval '1 millisecond', bucket, timestamptz '1970-01-01Z') AS at, ${sums(DRAWN)}
           FROM ${buckets.table} WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3 GROUP BY 1 ORDER BY 1`,
    values: [workspaceId, buckets.from, buckets.to, buckets.bucketMs],
  });
  return found.rows;
}

/** Dispatches in the minutes from `from` to `to`. */
export async function countDispatches(pool: Pool, workspaceId: string, from: Date, to: Date): Promise<number> {
  const found = await pool.query<{ dispatches: string }>({
    name: "overview_rate",
    text: `SELECT coalesce(sum(dispatches), 0) AS dispatches FROM rollup_minute
           WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3`,
    values: [workspaceId, from, to],
  });
  return Number(found.rows[0]?.dispatches ?? 0);
}

export interface MarkRow {
  readonly at: Date;
  readonly kind: string;
  readonly policy: string | null;
  readonly revision: number | null;
  readonly by: string;
  /** Changes within the range, those beyond the limit included. */
  readonly total: number;
}

/**
 * The newest entries of these kinds within a range; at most `readMax` of each kind are read, the newest, independent of
 * the range.
 */
export async function listMarks(
  pool: Pool,
  workspaceId: string,
  range: OverviewRange,
  { kinds, readMax, limit }: { kinds: readonly string[]; readMax: number; limit: number },
): Promise<MarkRow[]> {
  const found = await pool.query<MarkRow>({
    name: "overview_marks",
    text: `WITH within AS (
             SELECT entry.at, entry.seq, entry.kind, entry.body::jsonb AS body FROM unnest($2::text[]) AS asked (kind)
             CROSS JOIN LATERAL (
               SELECT at, seq, kind, body FROM audit_entry
               WHERE workspace_id = $1 AND kind = asked.kind AND kind <> 'dispatches_recorded' ORDER BY seq DESC LIMIT $3
             ) AS entry
             WHERE entry.at >= $4 AND entry.at < $5
           )
           SELECT within.at, kind, policy.name AS policy, coalesce(body ->> 'revision', body ->> 'to')::int AS revision,
             CASE WHEN body -> 'names' -> 'people' ? (body ->> 'by') THEN coalesce((SELECT named.names ->> 'name' FROM audit_name AS named
               WHERE named.workspace_id = $1 AND named.seq = within.seq AND named.person = body ->> 'by'), '${ERASED_PERSON}')
               ELSE body ->> 'by' END AS by, (SELECT count(*)::int FROM within) AS total
           FROM within LEFT JOIN policy ON policy.workspace_id = $1 AND policy.id::text = body ->> 'policy'
           ORDER BY seq DESC LIMIT $6`,
    values: [workspaceId, kinds, readMax, range.from, range.to, limit],
  });
  return found.rows;
}

export interface DeniedRow {
  readonly facet: number;
  readonly tool_name: string | null;
  readonly agent_name: string | null;
  readonly calls: number;
  /** Denials read, calls that were denied twice included. */
  readonly read: number;
}

/**
 * The calls with the outcome "denied" among the newest denials of a range: in all, by tool and by agent; `top` of each.
 * The last denial of a call decides, so its other decisions are not read.
 */
export async function listDenied(
  pool: Pool,
  workspaceId: string,
  range: OverviewRange,
  { rowsMax, top }: { rowsMax: number; top: number },
): Promise<DeniedRow[]> {
  const found = await pool.query<DeniedRow>({
    name: "overview_denied",
    text: `WITH newest AS (
             SELECT session_id, coalesce(tool_use_id, dispatch_id::text) AS call, tool_name, agent_name, kind, verdict, source,
               reason FROM tool_decision
             WHERE workspace_id = $1 AND verdict = 'deny' AND occurred_at >= $2 AND occurred_at < $3
             ORDER BY occurred_at DESC, dispatch_id DESC LIMIT $4
           ), denied AS (
             SELECT min(tool_name) AS tool_name, min(agent_name) AS agent_name FROM newest
             GROUP BY session_id, call HAVING ${OUTCOME_OF_ROWS} = 'denied'
           ), counted AS (
             SELECT grouping(tool_name, agent_name) AS facet, tool_name, agent_name, count(*)::int AS calls,
               row_number() OVER (PARTITION BY grouping(tool_name, agent_name) ORDER BY count(*) DESC, tool_name, agent_name)
                 AS place
             FROM denied GROUP BY GROUPING SETS ((), (tool_name), (agent_name))
           )
           SELECT facet, tool_name, agent_name, calls, (SELECT count(*)::int FROM newest) AS read
           FROM counted WHERE place <= $5 ORDER BY facet, place`,
    values: [workspaceId, range.from, range.to, rowsMax, top],
  });
  return found.rows;
}

export interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly is_demo: boolean;
  readonly last_seen_at: Date | null;
  readonly last_revision: string | null;
  readonly client: string | null;
  readonly clientVersion: string | null;
  readonly yoloAt: Date | null;
  readonly polledAt: Date | null;
}

export async function listAgents(pool: Pool, workspaceId: string, limit: number): Promise<AgentRow[]> {
  const found = await pool.query<AgentRow>({
    name: "overview_agents",
    text: `SELECT id, name, is_demo, last_seen_at, last_revision, client, client_version AS "clientVersion",
             yolo_at AS "yoloAt", polled_at AS "polledAt" FROM agent
           WHERE workspace_id = $1 AND retired_at IS NULL
           ORDER BY last_seen_at DESC NULLS LAST, created_at DESC LIMIT $2`,
    values: [workspaceId, limit],
  });
  return found.rows;
}

export async function countAgents(pool: Pool, workspaceId: string, { from, to }: OverviewRange) {
  const found = await pool.query<{ enrolled: number; seen: number }>({
    name: "overview_agent_counts",
    text: `SELECT count(*)::int AS enrolled,
             count(*) FILTER (WHERE last_seen_at >= $2 AND created_at < $3)::int AS seen
           FROM agent WHERE workspace_id = $1 AND retired_at IS NULL`,
    values: [workspaceId, from, to],
  });
  return found.rows[0] ?? { enrolled: 0, seen: 0 };
}

export interface StartRow {
  readonly policy_id: string | null;
  readonly policy_name: string | null;
  readonly policy_revision: number | null;
  readonly is_governed: boolean;
  readonly agent_id: string | null;
  readonly agent_name: string | null;
  readonly has_events: boolean;
}

/** The first policy and agent, and true if there are events: the three parts of a working gate. */
export async function findStart(pool: Pool, workspaceId: string): Promise<StartRow | undefined> {
  const found = await pool.query<StartRow>({
    name: "overview_start",
    text: `SELECT policy.id AS policy_id, policy.name AS policy_name, policy.latest_revision AS policy_revision,
             EXISTS (SELECT 1 FROM assignment JOIN policy AS bound
                       ON bound.workspace_id = assignment.workspace_id AND bound.id = assignment.policy_id
                     WHERE assignment.workspace_id = $1 AND ${enforcedSql()} AND bound.latest_revision > 0)
               AS is_governed,
             agent.id AS agent_id, agent.name AS agent_name,
             EXISTS (SELECT 1 FROM rollup_hour WHERE workspace_id = $1) AS has_events
           FROM (SELECT 1) AS one
           LEFT JOIN LATERAL (SELECT id, name, latest_revision FROM policy
                              WHERE workspace_id = $1 AND latest_revision > 0 ORDER BY created_at LIMIT 1) AS policy ON true
           LEFT JOIN LATERAL (SELECT id, name FROM agent WHERE workspace_id = $1 AND retired_at IS NULL ORDER BY created_at LIMIT 1) AS agent ON true`,
    values: [workspaceId],
  });
  return found.rows[0];
}
