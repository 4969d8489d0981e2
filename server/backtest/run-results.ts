/** The statements that read the results of backtests. */
import type { Pool } from "../platform/db.ts";
import { IN_FORCE_DIGEST_SQL } from "../policies/index.ts";
import { OPEN } from "./run-repository.ts";
import {
  type BacktestById,
  type FlipGroup,
  type FlipGroupView,
  type ListFlips,
  type NewVerdictsView,
  RUN_LIMITS,
} from "./run-schema.ts";

export interface RunRow {
  readonly id: string;
  readonly policyId: string;
  readonly policyName: string;
  readonly sha256: string;
  readonly days: number;
  readonly callsMax: number | null;
  readonly state: string;
  readonly says: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly readBackTo: Date | null;
  readonly total: number | null;
  readonly looked: number;
  readonly tally: unknown;
  /** The policy's draft, else its live revision. */
  readonly draftText: string | null;
  readonly source: string;
  readonly isCurrent: boolean;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  /** Null for a backtest of recorded calls. */
  readonly livePercent: number | null;
  readonly liveUntil: Date | null;
  readonly liveSkipped: number;
  readonly restarts: number;
  readonly commandsMax: number | null;
  readonly judgesNano: string | null;
  readonly candidates: unknown;
}

const RUN = `SELECT run.id, run.policy_id AS "policyId", policy.name AS "policyName", run.sha256, run.days, run.calls_max AS "callsMax",
    run.state, run.says, run.asked_by AS "askedBy", run.asked_at AS "askedAt", run.started_at AS "startedAt", run.ended_at AS "endedAt",
    run.cursor_at AS "readBackTo", run.total::float8 AS total, run.looked::float8 AS looked, run.tally, draft.source AS "draftText",
    run.source, run.in_force IS NOT DISTINCT FROM ${IN_FORCE_DIGEST_SQL} AS "isCurrent", run.reviewed_by AS "reviewedBy",
    run.reviewed_at AS "reviewedAt", run.live_percent AS "livePercent", run.live_until AS "liveUntil",
    run.live_skipped::float8 AS "liveSkipped", run.restarts,
    run.commands_max AS "commandsMax", run.judges_nano::text AS "judgesNano", run.candidates
  FROM backtest_run AS run JOIN policy ON policy.workspace_id = run.workspace_id AND policy.id = run.policy_id
  LEFT JOIN policy_draft AS draft ON draft.workspace_id = run.workspace_id AND draft.policy_id = run.policy_id`;

/** The newest runs of a policy. */
export async function list(pool: Pool, workspaceId: string, policyId: string): Promise<readonly RunRow[]> {
  const { rows } = await pool.query<RunRow>({
    name: "backtest_list",
    text: `${RUN} WHERE run.workspace_id = $1 AND run.policy_id = $2 ORDER BY run.asked_at DESC, run.id DESC LIMIT ${RUN_LIMITS.listed}`,
    values: [workspaceId, policyId],
  });
  return rows;
}

/** The newest run of exactly this text that is still of use: it has not ended, or it compared with what is in force now. */
export async function findOfText(
  pool: Pool,
  workspaceId: string,
  policyId: string,
  sha256: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: "backtest_of_text",
    text: `SELECT id FROM backtest_run WHERE workspace_id = $1::uuid AND policy_id = $2 AND sha256 = $3
             AND (${OPEN} OR state = 'finished' AND in_force = ${IN_FORCE_DIGEST_SQL})
           ORDER BY asked_at DESC, id DESC LIMIT 1`,
    values: [workspaceId, policyId, sha256],
  });
  return rows[0]?.id ?? null;
}

/** Calls of a run that would be denied or asked about where they were not. Flips that are not kept are not counted. */
export async function findNewVerdicts(pool: Pool, workspaceId: string, runId: string): Promise<NewVerdictsView> {
  const { rows } = await pool.query<NewVerdictsView>({
    name: "backtest_new_verdicts",
    text: `SELECT coalesce(sum(asked), 0)::float8 AS asked, coalesce(sum(denied), 0)::float8 AS denied,
             coalesce(max(denied), 0)::float8 AS "deniedOfDay"
           FROM (SELECT count(*) FILTER (WHERE verdict_to = 'ask' AND verdict_from <> 'ask') AS asked,
               count(*) FILTER (WHERE verdict_to = 'deny' AND verdict_from <> 'deny') AS denied
             FROM backtest_flip WHERE workspace_id = $1 AND run_id = $2
             GROUP BY quarterdeck_day_of($1::uuid, occurred_at)) AS day`,
    values: [workspaceId, runId],
  });
  return rows[0] ?? { asked: 0, denied: 0, deniedOfDay: 0 };
}

export async function find(pool: Pool, workspaceId: string, { policyId, runId }: BacktestById): Promise<RunRow | null> {
  const { rows } = await pool.query<RunRow>({
    name: "backtest_find",
    text: `${RUN} WHERE run.workspace_id = $1 AND run.policy_id = $2 AND run.id = $3`,
    values: [workspaceId, policyId, runId],
  });
  return rows[0] ?? null;
}

/** The value of a group in SQL. A call of an agent with two tags is in the groups of both. */
const VALUES: Readonly<Record<FlipGroup, string>> = {
  rule: "flip.rule",
  agent: "flip.agent_name",
  tag: "tag.value",
  tool: "flip.tool_name",
  family: "flip.family",
  session: "flip.session_id",
};

const FLIPS = `backtest_flip AS flip LEFT JOIN agent ON agent.workspace_id = flip.workspace_id AND agent.id = flip.agent_id
  LEFT JOIN LATERAL unnest(agent.tags) AS tag (value) ON $3`;

/** The largest groups, those with looser calls first. */
export async function listGroups(
  pool: Pool,
  workspaceId: string,
  runId: string,
  by: FlipGroup,
): Promise<FlipGroupView[]> {
  const { rows } = await pool.query<FlipGroupView>({
    name: `backtest_groups_${by}`,
    text: `SELECT coalesce(${VALUES[by]}, '') AS value, count(*) FILTER (WHERE flip.is_looser)::float8 AS looser,
             count(*) FILTER (WHERE NOT flip.is_looser AND flip.verdict_from <> flip.verdict_to)::float8 AS stricter,
             count(*) FILTER (WHERE NOT flip.is_looser AND flip.verdict_from = flip.verdict_to)::float8 AS otherwise
           FROM ${FLIPS} WHERE flip.workspace_id = $1 AND flip.run_id = $2
           GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 4 DESC, 1 LIMIT ${RUN_LIMITS.groups}`,
    values: [workspaceId, runId, by === "tag"],
  });
  return rows;
}

export interface FlipRow {
  readonly occurredAt: Date;
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly event: string;
  readonly tool: string;
  readonly family: string;
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  readonly isLooser: boolean;
  /** Null once the call is gone. */
  readonly input: string | null;
}

const INPUT_CHARS_MAX = 16_384;

/** A page of flips, the looser ones first, then the newest. */
export async function listFlips(pool: Pool, workspaceId: string, asked: ListFlips): Promise<readonly FlipRow[]> {
  const { group, offset, limit } = asked;
  const { rows } = await pool.query<FlipRow>({
    name: `backtest_flips_${group?.by ?? "all"}`,
    text: `SELECT flip.occurred_at AS "occurredAt", flip.dispatch_id AS id, flip.agent_id AS "agentId", flip.agent_name AS "agentName", flip.session_id AS "sessionId",
             flip.event, flip.tool_name AS tool, flip.family, flip.rule, flip.verdict_from AS "from", flip.verdict_to AS "to",
             flip.is_looser AS "isLooser", left(dispatch.input, ${INPUT_CHARS_MAX}) AS input
           FROM (SELECT flip.* FROM ${FLIPS} WHERE flip.workspace_id = $1 AND flip.run_id = $2
             AND ($4::text IS NULL OR coalesce(${VALUES[group?.by ?? "rule"]}, '') = $4)
             ORDER BY flip.is_looser DESC, flip.occurred_at DESC, flip.dispatch_id LIMIT $5 OFFSET $6) AS flip
           LEFT JOIN dispatch ON dispatch.workspace_id = $1 AND dispatch.occurred_at = flip.occurred_at AND dispatch.id = flip.dispatch_id
             AND dispatch.erased_at IS NULL
           ORDER BY flip.is_looser DESC, flip.occurred_at DESC, flip.dispatch_id`,
    values: [workspaceId, asked.runId, group?.by === "tag", group?.value ?? null, limit, offset],
  });
  return rows;
}

/** Runs that say how fast this installation is: enough calls, and no sample, which has a time of its own. */
const SPEED_RUNS = 3;
const SPEED_CALLS_MIN = 2_000;

/** The calls of a second in the newest backtests of the last 30 days; null where none was large enough. */
export async function findSpeed(pool: Pool, workspaceId: string): Promise<number | null> {
  const { rows } = await pool.query<{ speed: number | null }>({
    name: "backtest_speed",
    text: `SELECT sum(looked)::float8 / nullif(sum(extract(epoch FROM ended_at - started_at)), 0)::float8 AS speed FROM (
             SELECT looked, started_at, ended_at FROM backtest_run
             WHERE workspace_id = $1 AND state = 'finished' AND looked >= ${SPEED_CALLS_MIN} AND commands_max IS NULL
               AND judges_max IS NULL AND live_percent IS NULL AND asked_at >= now() - interval '30 days'
             ORDER BY asked_at DESC LIMIT ${SPEED_RUNS}) AS newest`,
    values: [workspaceId],
  });
  return rows[0]?.speed ?? null;
}
