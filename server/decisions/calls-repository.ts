/** Reads of what belongs to the calls of one page, each by an index of calls: the page bounds how many are looked up. */
import type { Pool } from "../platform/db.ts";
import { principalValueSql } from "../principals/index.ts";
import type { Buckets } from "../recording/index.ts";
import type { CallOutcome } from "./call-outcome-schema.ts";
import { OUTCOME_OF_ROWS } from "./outcome-sql.ts";
import {
  COLUMNS,
  conditionsOf,
  type DecisionRow,
  decisionsSql,
  NO_FILTERS,
  POLICY,
  RULE,
  Statement,
} from "./repository.ts";
import type { CallFacet, DecisionFilters, DecisionRange } from "./schema.ts";

export interface CallKey {
  readonly agentId: string;
  readonly sessionId: string;
  readonly toolUseId: string;
  /** The instant of one of its decisions. */
  readonly at: Date;
}

export interface ChainRow extends DecisionRow {
  /** The number of its call, from 1. */
  readonly place: number;
  /** It is in the range, and the filters find it. */
  readonly matches: boolean;
}

/** Hooks on several events may decide over one call; more are of an agent that uses an id twice. */
const OF_CALL_MAX = 20;
/** A person may answer late, and an agent's reports may be dated by another clock. */
const AROUND = "occurred_at >= call.at - interval '1 day' AND occurred_at < call.at + interval '7 days'";

/** SQL: the row is of the call named `call`, at a time that meets `around`. */
export const isOfCallSql = (
  around: string,
): string => `session_id = call.session_id AND tool_use_id::name = call.tool_use_id::name
  AND tool_use_id = call.tool_use_id AND agent_id = call.agent_id AND ${around}`;

/** All decisions over these calls, the earliest first. */
export async function listChains(
  pool: Pool,
  workspaceId: string,
  calls: readonly CallKey[],
  range: DecisionRange,
  filters: DecisionFilters,
): Promise<ChainRow[]> {
  const statement = new Statement();
  const workspace = statement.bind(workspaceId);
  const from = `occurred_at >= ${statement.bind(range.from)} AND occurred_at < ${statement.bind(range.to)}`;
  const matches = [from, ...conditionsOf(statement, filters)].join(" AND ");
  const ofKind = (kind: string) => `(SELECT workspace_id, ${COLUMNS} FROM tool_decision
    WHERE workspace_id = ${workspace} AND kind = '${kind}' AND ${isOfCallSql(AROUND)} LIMIT ${OF_CALL_MAX})`;
  const found = await pool.query<ChainRow>({
    text: `SELECT candidate.*, (${matches}) AS matches FROM (
        SELECT call.place::int AS place, decision.* FROM ${callsSql(statement, calls)}
        CROSS JOIN LATERAL (${ofKind("gate")} UNION ALL ${ofKind("final")}) AS decision) AS candidate
      ORDER BY place, occurred_at, dispatch_id`,
    values: statement.values,
  });
  return found.rows;
}

/** The calls whose tool ran, each with its first end. */
export async function listRan(
  pool: Pool,
  workspaceId: string,
  calls: readonly CallKey[],
): Promise<{ place: number; tool_error: boolean | null }[]> {
  const statement = new Statement();
  const workspace = statement.bind(workspaceId);
  const found = await pool.query<{ place: number; tool_error: boolean | null }>({
    text: `SELECT call.place::int AS place, ran.tool_error
      FROM ${callsSql(statement, calls)} CROSS JOIN LATERAL (
        SELECT tool_error FROM dispatch WHERE workspace_id = ${workspace} AND event = 'post_tool_use'
          AND session_id::name = call.session_id::name AND session_id = call.session_id
          AND tool_use_id::name = call.tool_use_id::name AND tool_use_id = call.tool_use_id AND agent_id = call.agent_id
          AND ${AROUND} LIMIT 1) AS ran`,
    values: statement.values,
  });
  return found.rows;
}

/** The calls as a table named `call`. */
export function callsSql(statement: Statement, calls: readonly CallKey[]): string {
  const agents = statement.bind(calls.map((call) => call.agentId));
  const sessions = statement.bind(calls.map((call) => call.sessionId));
  const ids = statement.bind(calls.map((call) => call.toolUseId));
  const instants = statement.bind(calls.map((call) => call.at));
  return `unnest(${agents}::uuid[], ${sessions}::text[], ${ids}::text[], ${instants}::timestamptz[])
    WITH ORDINALITY AS call (agent_id, session_id, tool_use_id, at, place)`;
}

export interface FacetRow {
  /** `calls`: all that match; `read`: the decisions read. */
  readonly facet: CallFacet | "calls" | "read";
  readonly value: string;
  readonly count: number;
}

const VALUE_SQL: Readonly<Record<Exclude<CallFacet, "group" | "agent">, string>> = {
  verdict: "verdict",
  by: "kind",
  policy: POLICY,
  rule: RULE,
  tool: "tool_name",
  source: "source",
  session: "session_id",
  person: principalValueSql("candidate"),
};
const GROUPS = `JOIN agent_group_member AS member ON member.workspace_id = candidate.workspace_id
  AND member.agent_id = candidate.agent_id
  JOIN agent_group AS named ON named.workspace_id = member.workspace_id AND named.id = member.group_id`;
/** A call of an inner agent also counts for the enrolled agent. */
const AGENTS = `CROSS JOIN LATERAL (SELECT agent_name AS name UNION SELECT enrolled.name FROM agent AS enrolled
  WHERE enrolled.workspace_id = candidate.workspace_id AND enrolled.id = candidate.agent_id) AS own`;
const COUNTED =
  "workspace_id, agent_id, agent_name, principal_id, session_id, kind, verdict, source, tool_name, reason";
/** Both sides of a call have this in common. */
const CALL = "hashtextextended(session_id || chr(1) || coalesce(tool_use_id, dispatch_id::text), 0)";

/** Calls by value among the newest `rowsMax` decisions of the range; of each field at most `valuesMax` values. */
export async function listFacets(
  pool: Pool,
  workspaceId: string,
  range: DecisionRange,
  filters: DecisionFilters,
  { rowsMax, valuesMax }: { rowsMax: number; valuesMax: number },
): Promise<FacetRow[]> {
  const statement = new Statement();
  const { settled, outcome, assignee, keyword, has, text } = filters;
  const ofAll = conditionsOf(statement, { ...NO_FILTERS, settled, outcome, assignee, keyword, has, text });
  // The rows that were read are materialised once, and the rows that match all filters once more, with as few columns
  // as possible.
  const columns = ofAll.length === 0 ? COUNTED : `${COUNTED}, occurred_at, tool_use_id, dispatch_id, excerpt`;
  const newest = `SELECT ${columns}, ${CALL} AS call FROM tool_decision
    WHERE workspace_id = ${statement.bind(workspaceId)}
      AND occurred_at >= ${statement.bind(range.from)} AND occurred_at < ${statement.bind(range.to)}
    ORDER BY occurred_at DESC, dispatch_id DESC LIMIT ${statement.bind(rowsMax)}`;
  const values = statement.bind(valuesMax);
  const ofFields = {
    ...filters,
    settled: [],
    outcome: [],
    assignee: [],
    keyword: [],
    has: [],
    text: "",
  } satisfies DecisionFilters;
  const where = (own: CallFacet | null) =>
    ["true", ...conditionsOf(statement, own === null ? ofFields : { ...ofFields, [own]: [] })].join(" AND ");
  const ofField = (
    facet: CallFacet,
    value: string,
    join = "",
  ) => `(SELECT '${facet}' AS facet, value, count(*)::int AS count
    FROM (SELECT DISTINCT ${value} AS value, call FROM candidate ${join} WHERE ${where(facet)}) AS counted
    WHERE value <> '' GROUP BY value ORDER BY count DESC, value LIMIT ${values})`;
  const found = await pool.query<FacetRow>({
    text: `WITH newest AS MATERIALIZED (${newest}),
        candidate AS ${ofAll.length === 0 ? "NOT" : ""} MATERIALIZED (
          SELECT * FROM newest AS candidate WHERE ${["true", ...ofAll].join(" AND ")})
      ${[
        `SELECT 'read' AS facet, '' AS value, count(*)::int AS count FROM newest`,
        `SELECT 'calls', '', count(DISTINCT call)::int FROM candidate WHERE ${where(null)}`,
        ...Object.entries(VALUE_SQL).map(([facet, value]) => ofField(facet as CallFacet, value)), // holds: the record's keys
        ofField("agent", "own.name", AGENTS),
        ofField("group", "named.name", GROUPS),
      ].join(" UNION ALL ")}`,
    values: statement.values,
  });
  return found.rows;
}

export interface PointRow {
  readonly at: Date;
  readonly outcome: CallOutcome;
  readonly count: number;
}

export interface Counted {
  /** The decisions read, and the instant of the earliest of them. */
  readonly read: number;
  readonly since: Date | null;
  readonly points: readonly PointRow[];
}

/** The filters that all decisions of a call share: they may drive the search. */
const OF_CALLS = [
  ["session", "session_id"],
  ["tool", "tool_name"],
  ["agent", "agent_name"],
] as const;

/**
 * The calls that the filters find among the newest `rowsMax` decisions of the range, each in the bucket of its earliest
 * decision that matches.
 */
export async function countOutcomes(
  pool: Pool,
  workspaceId: string,
  { buckets, range, filters }: { buckets: Buckets; range: DecisionRange; filters: DecisionFilters },
  rowsMax: number,
): Promise<Counted> {
  const statement = new Statement();
  const workspace = statement.bind(workspaceId);
  const where = [
    `workspace_id = ${workspace}`,
    `occurred_at >= ${statement.bind(range.from)} AND occurred_at < ${statement.bind(range.to)}`,
  ];
  const driver = OF_CALLS.find(([field]) => filters[field].length === 1);
  const of = driver && { column: driver[1], value: `${statement.bind(filters[driver[0]][0])}::text` };
  const limit = statement.bind(rowsMax);
  const newestFirst = `ORDER BY occurred_at DESC, dispatch_id DESC LIMIT ${limit}`;
  const bucketMs = statement.bind(buckets.bucketMs);
  const matches = ["true", ...conditionsOf(statement, filters, driver?.[0])].join(" AND ");
  const found = await pool.query<{ at: Date | null; outcome: CallOutcome; count: number; read: number; since: Date }>({
    text: `WITH newest AS MATERIALIZED (SELECT workspace_id, ${COLUMNS}, ${CALL} AS call
        FROM (${decisionsSql(where, workspace, of ?? null, newestFirst)}) AS decision ${newestFirst}),
      own AS (SELECT min(occurred_at) FILTER (WHERE matches) AS first_at, ${OUTCOME_OF_ROWS} AS outcome
        FROM (SELECT candidate.*, (${matches}) AS matches FROM newest AS candidate) AS one
        GROUP BY call HAVING bool_or(matches)),
      extent AS (SELECT count(*)::int AS read, min(occurred_at) AS since FROM newest)
      SELECT points.*, extent.* FROM extent LEFT JOIN (
        SELECT date_bin(${bucketMs}::bigint * interval '1 millisecond', first_at, timestamptz '1970-01-01Z') AS at,
          outcome, count(*)::int AS count FROM own GROUP BY 1, 2) AS points ON true ORDER BY at, outcome`,
    values: statement.values,
  });
  const [first] = found.rows;
  const points = found.rows.flatMap(({ at, outcome, count }) => (at === null ? [] : [{ at, outcome, count }]));
  return { read: first?.read ?? 0, since: first?.since ?? null, points };
}
