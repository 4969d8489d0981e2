import type { Certainty } from "../access/principal-schema.ts";
import type { Database } from "../platform/db.ts";
import { isOfPrincipalsSql } from "../principals/index.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import {
  DAY_MS,
  isOfAgentsSql,
  type RollupRange,
  selectRollupsParameters,
  selectRollupsSql,
  withoutDayRollups,
} from "../recording/index.ts";
import type { CallFilters, CostCallsInput, SeriesBy } from "./schema.ts";

/** Sums as PostgreSQL answers them: bigint and numeric arrive as digits. */
export interface LedgerRow {
  readonly priced: string;
  readonly free: string;
  readonly unpriced: string;
  readonly without_usage: string;
  readonly nano: string;
  readonly input: string;
  readonly output: string;
  readonly cached_input: string;
  readonly cached_write: string;
  readonly reasoning: string;
}

const IS_CALL = "calls_priced + calls_free + calls_unpriced > 0";
const COLUMNS = `bucket, agent_name, model_id, calls_priced, calls_free, calls_unpriced, calls_without_usage, cost_nano,
  input_tokens, output_tokens, cached_input_tokens, cached_write_tokens, reasoning_tokens`;
/** The rollup rows of a time range with calls. A call may have no model, so model_id = '' is included. */
const CELLS = selectRollupsSql(COLUMNS, IS_CALL);
const SUMS = `coalesce(sum(calls_priced), 0) AS priced, coalesce(sum(calls_free), 0) AS free,
  coalesce(sum(calls_unpriced), 0) AS unpriced, coalesce(sum(calls_without_usage), 0) AS without_usage,
  coalesce(sum(cost_nano), 0) AS nano, coalesce(sum(input_tokens), 0) AS input,
  coalesce(sum(output_tokens), 0) AS output, coalesce(sum(cached_input_tokens), 0) AS cached_input,
  coalesce(sum(cached_write_tokens), 0) AS cached_write, coalesce(sum(reasoning_tokens), 0) AS reasoning`;

/** As `isHarness` (schema.ts). */
const isHarnessSql = (modelId: string): string => `(${modelId} <> '' AND position('/' IN ${modelId}) = 0)`;

const GROUPS = { model: "model_id", agent: "agent_name" } as const satisfies Record<SeriesBy, string>;

/**
 * One line of the breakdowns. `kind` total is the sum of all calls, harness that of coding harnesses. A line without a
 * name is the sum of the unlisted ones.
 */
export interface LineRow extends LedgerRow {
  readonly kind: "total" | "harness" | SeriesBy;
  readonly name: string | null;
  readonly groups: string;
}

const RESUMS = `coalesce(sum(priced), 0) AS priced, coalesce(sum(free), 0) AS free, coalesce(sum(unpriced), 0) AS unpriced,
  coalesce(sum(without_usage), 0) AS without_usage, coalesce(sum(nano), 0) AS nano, coalesce(sum(input), 0) AS input,
  coalesce(sum(output), 0) AS output, coalesce(sum(cached_input), 0) AS cached_input,
  coalesce(sum(cached_write), 0) AS cached_write, coalesce(sum(reasoning), 0) AS reasoning`;
const ranked = (by: SeriesBy) => `(
  SELECT '${by}' AS kind, CASE WHEN rank <= $8 THEN name END AS name, count(*) AS groups, ${RESUMS}
  FROM (SELECT *, row_number() OVER (ORDER BY nano DESC, priced + free + unpriced DESC, name) AS rank
        FROM (SELECT ${GROUPS[by]} AS name, ${RESUMS} FROM pairs GROUP BY 1) AS named) AS ranked
  GROUP BY least(rank, $8 + 1), 2 ORDER BY least(rank, $8 + 1))`;

/** The total of a stretch, and its models and agents with the most expensive first: one pass over the rollups for all three. */
export async function listCostTotals(
  db: Database,
  workspaceId: string,
  stretch: RollupRange,
  limit: number,
): Promise<readonly LineRow[]> {
  const found = await db.pool.query<LineRow>({
    name: "costs_lines",
    text: `WITH pairs AS MATERIALIZED (SELECT model_id, agent_name, ${SUMS} FROM (${CELLS}) cells GROUP BY 1, 2)
           SELECT 'total' AS kind, NULL AS name, 1 AS groups, ${RESUMS} FROM pairs
           UNION ALL SELECT 'harness', NULL, 1, ${RESUMS} FROM pairs WHERE ${isHarnessSql("model_id")}
           UNION ALL ${ranked("model")} UNION ALL ${ranked("agent")}`,
    values: [...selectRollupsParameters(workspaceId, stretch), limit],
  });
  return found.rows;
}

const LEDGER_CELLS = selectRollupsSql("corrected, corrected_nano, estimated, estimated_nano", "true", "ledger");

/** The corrections included in the sums of a time range, and the estimates, which are not. */
export async function findCorrections(db: Database, workspaceId: string, stretch: RollupRange) {
  const found = await db.pool.query<{
    corrected: string;
    corrected_nano: string;
    estimated: string;
    estimated_nano: string;
  }>({
    name: "costs_beside",
    text: `SELECT coalesce(sum(corrected), 0) AS corrected, coalesce(sum(corrected_nano), 0) AS corrected_nano,
             coalesce(sum(estimated), 0) AS estimated, coalesce(sum(estimated_nano), 0) AS estimated_nano
           FROM (${LEDGER_CELLS}) cells`,
    values: selectRollupsParameters(workspaceId, stretch),
  });
  return found.rows[0] ?? { corrected: "0", corrected_nano: "0", estimated: "0", estimated_nano: "0" };
}

/** The first and the last hour with records; null without any. */
export async function findExtent(db: Database, workspaceId: string): Promise<{ first: Date; last: Date } | null> {
  const found = await db.pool.query<{ first: Date | null; last: Date | null }>({
    name: "costs_extent",
    text: `SELECT (SELECT min(bucket) FROM rollup_hour WHERE workspace_id = $1) AS first,
                  (SELECT max(bucket) FROM rollup_hour WHERE workspace_id = $1) AS last`,
    values: [workspaceId],
  });
  const row = found.rows[0];
  return row?.first && row.last ? { first: row.first, last: row.last } : null;
}

interface PointRow {
  readonly at: Date;
  readonly key: string | null;
  readonly nano: string;
  readonly calls: string;
  readonly unpriced: string;
}

/** Spend per bar and group: the `limit` groups that cost most by name, the rest under null. */
export async function listPoints(
  db: Database,
  workspaceId: string,
  stretch: RollupRange,
  { by, bucketMs, limit }: { by: SeriesBy; bucketMs: number; limit: number },
): Promise<readonly PointRow[]> {
  const found = await db.pool.query<PointRow>({
    name: `costs_series_by_${by}`,
    text: `WITH cells AS MATERIALIZED (
             SELECT date_bin($8::bigint * interval '1 millisecond', bucket, timestamptz 'epoch') AS at,
               ${GROUPS[by]} AS name, sum(cost_nano) AS nano, sum(calls_priced + calls_free + calls_unpriced) AS calls,
               sum(calls_unpriced) AS unpriced
             FROM (${CELLS}) cells GROUP BY 1, 2
           ), top AS (
             SELECT name FROM cells GROUP BY name HAVING sum(nano) > 0 ORDER BY sum(nano) DESC, name LIMIT $9
           )
           SELECT at, top.name AS key, sum(nano) AS nano, sum(calls) AS calls, sum(unpriced) AS unpriced
           FROM cells LEFT JOIN top USING (name) GROUP BY at, top.name ORDER BY at, top.name`,
    values: [
      ...selectRollupsParameters(workspaceId, bucketMs < DAY_MS ? withoutDayRollups(stretch) : stretch),
      bucketMs,
      limit,
    ],
  });
  return found.rows;
}

export interface CallRow {
  readonly dispatch_id: string;
  readonly occurred_at: Date;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly principal_id: string | null;
  readonly certainty: Certainty | null;
  readonly session_id: string;
  readonly model_id: string;
  readonly cost_nano: string | null;
  readonly cost_usd: string | null;
  readonly has_usage: boolean;
  readonly is_client_estimate: boolean;
  readonly input_tokens: string | null;
  readonly output_tokens: string | null;
  readonly cached_input_tokens: string | null;
  readonly cached_write_tokens: string | null;
  readonly reasoning_tokens: string | null;
  readonly corrected: string | null;
  readonly estimated: string | null;
}
const standing = (kind: "correction" | "repricing") => `(SELECT nano FROM ledger_entry AS entry
    WHERE entry.workspace_id = call.workspace_id AND entry.occurred_at = call.occurred_at
      AND entry.dispatch_id = call.dispatch_id AND entry.kind = '${kind}' ORDER BY step DESC LIMIT 1)`;
/** Read from the stored facts of its dispatch, whose texts cannot contain these quotes. */
const IS_CLIENT_ESTIMATE = `EXISTS (SELECT FROM dispatch AS origin WHERE origin.workspace_id = call.workspace_id
    AND origin.occurred_at = call.occurred_at AND origin.id = call.dispatch_id AND strpos(origin.facts, '"isEstimate":true') > 0)`;
const CALL = `call.dispatch_id, call.occurred_at, call.agent_id, call.agent_name, call.principal_id, call.certainty, call.session_id, call.model_id,
  call.cost_nano, call.cost_usd, call.has_usage, call.input_tokens, call.output_tokens, call.cached_input_tokens,
  call.cached_write_tokens, call.reasoning_tokens, ${standing("correction")} AS corrected, ${standing("repricing")} AS estimated,
  ${IS_CLIENT_ESTIMATE} AS is_client_estimate`;
/**
 * The newest correction of each call, as in every sum. Corrections are rare, so those of the time range are read once.
 */
const CORRECTED = `LEFT JOIN (SELECT DISTINCT ON (occurred_at, dispatch_id) occurred_at, dispatch_id, nano FROM ledger_entry
    WHERE workspace_id = $1 AND kind = 'correction' AND occurred_at >= $2 AND occurred_at < $3
    ORDER BY occurred_at, dispatch_id, step DESC) AS stands
  ON stands.occurred_at = call.occurred_at AND stands.dispatch_id = call.dispatch_id`;
const PRICING = `CASE WHEN stands.nano = 0 THEN 'free' WHEN stands.nano IS NOT NULL THEN 'priced'
  WHEN call.cost_usd IS NULL THEN 'unpriced' WHEN call.cost_usd = 0 THEN 'free' ELSE 'priced' END`;

/** The conditions of every filter that is set. `put` keeps a value and answers its placeholder. */
function conditionsOf(
  { models, agents, sessions, persons, pricings, makers, text }: CallFilters,
  put: (value: unknown) => string,
): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return [
    ...(models.length > 0 ? [`call.model_id = ANY(${put(models)}::text[])`] : []),
    ...(agents.length > 0 ? [isOfAgentsSql("call", `${put(agents)}::text[]`)] : []),
    ...(sessions.length > 0 ? [`call.session_id = ANY(${put(sessions)}::text[])`] : []),
    ...(persons.length > 0 ? [isOfPrincipalsSql("call", persons, put)] : []),
    ...(new Set(makers).size === 1
      ? [`${makers.includes("harness") ? "" : "NOT "}${isHarnessSql("call.model_id")}`]
      : []),
    ...(pricings.length > 0 ? [`${PRICING} = ANY(${put(pricings)}::text[])`] : []),
    ...words.map(
      (word) =>
        `position(lower(${put(word)}) IN lower(call.model_id || ' ' || call.agent_name || ' ' || call.session_id)) > 0`,
    ),
  ];
}

/** The newest calls before the cursor that pass every filter that is set. */
export async function listCalls(
  db: Database,
  workspaceId: string,
  { from, to }: RollupRange,
  { cursor, limit, ...filters }: CostCallsInput,
): Promise<readonly CallRow[]> {
  const values: unknown[] = [workspaceId, from, to, limit + 1];
  const put = (value: unknown) => `$${values.push(value)}`;
  const where = [
    ...conditionsOf(filters, put),
    ...(cursor
      ? [`(call.occurred_at, call.dispatch_id) < (${put(cursor.occurredAt)}::timestamptz, ${put(cursor.id)}::uuid)`]
      : []),
  ];
  const found = await db.pool.query<CallRow>(
    `SELECT ${CALL} FROM llm_call call ${filters.pricings.length > 0 ? CORRECTED : ""}
     WHERE call.workspace_id = $1 AND call.occurred_at >= $2 AND call.occurred_at < $3
       ${where.map((condition) => `AND ${condition}`).join(" ")}
     ORDER BY call.occurred_at DESC, call.dispatch_id DESC LIMIT $4`,
    values,
  );
  return found.rows;
}

export interface CallSumsRow {
  readonly calls: string;
  readonly unpriced: string;
  readonly nano: string;
}

/** The number of calls that match every filter, and their amounts after corrections. */
export async function sumCalls(
  db: Database,
  workspaceId: string,
  { from, to }: RollupRange,
  filters: CallFilters,
): Promise<CallSumsRow | undefined> {
  const values: unknown[] = [workspaceId, from, to];
  const where = conditionsOf(filters, (value) => `$${values.push(value)}`);
  const found = await db.pool.query<CallSumsRow>(
    `SELECT count(*) AS calls, count(*) FILTER (WHERE ${PRICING} = 'unpriced') AS unpriced,
       coalesce(sum(coalesce(stands.nano, call.cost_nano)), 0) AS nano
     FROM llm_call call ${CORRECTED}
     WHERE call.workspace_id = $1 AND call.occurred_at >= $2 AND call.occurred_at < $3
       ${where.map((condition) => `AND ${condition}`).join(" ")}`,
    values,
  );
  return found.rows[0];
}

/** One call with the dispatch it came from. */
export async function findCall(db: Database, workspaceId: string, { occurredAt, id }: EventKey) {
  const found = await db.pool.query<CallRow & { origin: string; received_at: Date; input: string }>({
    name: "costs_call",
    text: `SELECT ${CALL}, dispatch.origin, dispatch.received_at, dispatch.input
           FROM llm_call call
           JOIN dispatch ON dispatch.occurred_at = call.occurred_at AND dispatch.id = call.dispatch_id
             AND dispatch.workspace_id = call.workspace_id
           WHERE call.workspace_id = $1 AND call.occurred_at = $2 AND call.dispatch_id = $3`,
    values: [workspaceId, occurredAt, id],
  });
  return found.rows[0] ?? null;
}

export interface SessionRow {
  readonly agent_id: string;
  readonly session_id: string;
  readonly agent_name: string;
  readonly parent_session_id: string | null;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly last_end_reason: string | null;
  readonly calls_priced: string;
  readonly calls_free: string;
  readonly calls_unpriced: string;
  readonly cost_nano: string;
  readonly tokens: string;
}

/** All agents when the list is empty. */
const IS_OF_AGENTS = (row: string, names: string) =>
  `(cardinality(${names}::text[]) = 0 OR ${isOfAgentsSql(row, `${names}::text[]`)})`;

/**
 * The newest sessions with calls that were active in the stretch, with all their ancestors and descendants, each once.
 * A tree lies within one enrolled agent: what another agent claims about a session does not move its sums.
 * OFFSET 0 keeps each step a look into an index: the planner expects far more rows than a tree has.
 */
export async function listSessionTrees(
  db: Database,
  workspaceId: string,
  { from, to }: RollupRange,
  { activeMax, rowsMax, agents }: { activeMax: number; rowsMax: number; agents: readonly string[] },
): Promise<readonly SessionRow[]> {
  const found = await db.pool.query<SessionRow>({
    name: "costs_session_trees",
    text: `WITH RECURSIVE active AS MATERIALIZED (
             SELECT agent_id, session_id, parent_session_id FROM session
             WHERE workspace_id = $1 AND last_at >= $2 AND first_at < $3 AND ${IS_CALL} AND ${IS_OF_AGENTS("session", "$6")}
             ORDER BY last_at DESC LIMIT $4
           ), up AS (
             SELECT * FROM active
             UNION
             SELECT parent.* FROM up CROSS JOIN LATERAL (
               SELECT agent_id, session_id, parent_session_id FROM session WHERE workspace_id = $1
                 AND session.agent_id = up.agent_id AND session.session_id = up.parent_session_id OFFSET 0) parent
           ), down AS (
             SELECT agent_id, session_id FROM up
             UNION
             SELECT child.* FROM down CROSS JOIN LATERAL (
               SELECT agent_id, session_id FROM session WHERE workspace_id = $1
                 AND parent_session_id = down.session_id AND session.agent_id = down.agent_id OFFSET 0) child
           )
           SELECT one.* FROM (SELECT * FROM down LIMIT $5) AS wanted CROSS JOIN LATERAL (
             SELECT agent_id, session_id, agent_name, parent_session_id, first_at, last_at, last_end_reason,
               calls_priced, calls_free, calls_unpriced, cost_nano, tokens
             FROM session WHERE workspace_id = $1 AND session.agent_id = wanted.agent_id
               AND session.session_id = wanted.session_id OFFSET 0) one`,
    values: [workspaceId, from, to, activeMax, rowsMax, agents],
  });
  return found.rows;
}

/** The number of sessions with calls that were active in the stretch, counted no further than `limit`. */
export async function countActive(
  db: Database,
  workspaceId: string,
  { from, to }: RollupRange,
  { limit, agents }: { limit: number; agents: readonly string[] },
): Promise<number> {
  const found = await db.pool.query<{ count: string }>({
    name: "costs_active_sessions",
    text: `SELECT count(*) FROM (SELECT 1 FROM session WHERE workspace_id = $1 AND last_at >= $2 AND first_at < $3
             AND ${IS_CALL} AND ${IS_OF_AGENTS("session", "$5")} ORDER BY last_at DESC LIMIT $4) AS active`,
    values: [workspaceId, from, to, limit, agents],
  });
  return Number(found.rows[0]?.count ?? 0);
}

/** The calls of the stretch that carry no session id. */
export async function findSessionless(
  db: Database,
  workspaceId: string,
  { from, to }: RollupRange,
  agents: readonly string[],
) {
  const found = await db.pool.query<
    Pick<SessionRow, "calls_priced" | "calls_free" | "calls_unpriced" | "cost_nano" | "tokens">
  >({
    name: "costs_sessionless",
    text: `SELECT count(*) FILTER (WHERE cost_usd <> 0) AS calls_priced, count(*) FILTER (WHERE cost_usd = 0) AS calls_free,
             count(*) FILTER (WHERE cost_usd IS NULL) AS calls_unpriced, coalesce(sum(cost_nano), 0) AS cost_nano,
             coalesce(sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0) + coalesce(cached_input_tokens, 0)
               + coalesce(cached_write_tokens, 0)), 0) AS tokens
           FROM llm_call WHERE workspace_id = $1 AND session_id = '' AND occurred_at >= $2 AND occurred_at < $3
             AND ${IS_OF_AGENTS("llm_call", "$4")}`,
    values: [workspaceId, from, to, agents],
  });
  return found.rows[0];
}
