/**
 * Reads of `tool_decision` and of the dispatches behind it.
 *
 * Every list is cheap for any filter: at most one filter uses an index in the order of the page. The other filters are
 * applied to at most `SEARCH_ROWS_MAX` of its rows. The result says how far a search came.
 */
import type { Certainty } from "../access/principal-schema.ts";
import { followUpConditions } from "../follow-ups/index.ts";
import type { Pool } from "../platform/db.ts";
import { isOfPrincipalsSql } from "../principals/index.ts";
import { isOfAgentsSql } from "../recording/index.ts";
import { kindSql } from "./approval-sources-repository.ts";
import { OUTCOME_CONDITIONS } from "./outcome-sql.ts";
import type { CountDecisionsInput, DecisionFilters, DecisionKey, DecisionRange, ListDecisions } from "./schema.ts";

/** Rows one page may read while it looks for matches. */
export const SEARCH_ROWS_MAX = 10_000;

export const COLUMNS = `occurred_at, dispatch_id, kind, agent_id, agent_name, session_id, event, tool_name, tool_use_id,
  verdict, source, reason, excerpt, principal_id, certainty`;

export interface DecisionRow {
  occurred_at: Date;
  dispatch_id: string;
  kind: "gate" | "final";
  agent_id: string;
  agent_name: string;
  session_id: string;
  event: string;
  tool_name: string;
  tool_use_id: string | null;
  verdict: string;
  source: string;
  reason: string;
  excerpt: string;
  principal_id: string | null;
  certainty: Certainty | null;
}

/** A statement under construction, with its parameters. */
export class Statement {
  readonly values: unknown[] = [];
  /** Adds a parameter; answers how the SQL refers to it. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** The columns an index leads with, the most selective first; with one value each can drive the search. */
const DRIVERS = [
  ["session", "session_id"],
  ["source", "source"],
  ["tool", "tool_name"],
  ["agent", "agent_name"],
  ["verdict", "verdict"],
] as const;
const CONDITIONS = [...DRIVERS, ["by", "kind"]] as const;

/**
 * The columns whose index holds only the beginning of the text, as a `name`: behind row-level security `left()` cannot
 * use an index.
 */
const BY_BEGINNING: ReadonlySet<string> = new Set(["source", "tool_name", "agent_name"]);

/** `column = value`, so that the column's index serves it. */
export function isValue(column: string, value: string): string {
  const whole = `${column} = ${value}`;
  return BY_BEGINNING.has(column) ? `${column}::name = ${value}::name AND ${whole}` : whole;
}

/**
 * The decisions that meet `where` and, with a driver, have its one value: at least the first ones of `first`, an order
 * with a limit. The two halves of an agent's decisions are disjoint, and each is read by its own index in this order.
 */
export function decisionsSql(
  where: readonly string[],
  workspace: string,
  driver: { readonly column: string; readonly value: string } | null,
  first: string,
): string {
  const select = (...more: string[]) => `SELECT * FROM tool_decision WHERE ${[...where, ...more].join(" AND ")}`;
  if (!driver) return select();
  const named = select(isValue(driver.column, driver.value));
  if (driver.column !== "agent_name") return named;
  const enrolled = `agent_id = (SELECT id FROM agent WHERE workspace_id = ${workspace} AND name = ${driver.value})`;
  return `(${named} ${first}) UNION ALL (${select(enrolled, `agent_name <> ${driver.value}`)} ${first})`;
}

interface Plan {
  /** At least the first `limit` rows in the page's order: the range, the cursor and the driving filter. */
  candidates(limit: string | number): string;
  /** The other filters; "" without any. */
  readonly rest: string;
  readonly order: string;
  /** Names the shape of `candidates` and `order`: few enough to be prepared. */
  readonly shape: string;
}

function planOf(statement: Statement, workspaceId: string, input: Omit<ListDecisions, "limit">): Plan {
  const { range, filters, order, cursor } = input;
  const isNewest = order === "newest";
  const workspace = statement.bind(workspaceId);
  const where = [
    `workspace_id = ${workspace}`,
    `occurred_at >= ${statement.bind(range.from)}`,
    `occurred_at < ${statement.bind(range.to)}`,
  ];
  if (cursor) {
    const key = `(${statement.bind(cursor.occurredAt)}, ${statement.bind(cursor.id)})`;
    where.push(`(occurred_at, dispatch_id) ${isNewest ? "<" : ">"} ${key}`);
  }
  const driver = DRIVERS.find(([field]) => filters[field].length === 1);
  const of = driver && { column: driver[1], value: `${statement.bind(filters[driver[0]][0])}::text` };
  const rest = conditionsOf(statement, filters, driver?.[0]);
  const direction = isNewest ? "DESC" : "ASC";
  const ordered = `ORDER BY occurred_at ${direction}, dispatch_id ${direction}`;
  return {
    candidates: (limit) =>
      `FROM (${decisionsSql(where, workspace, of ?? null, `${ordered} LIMIT ${limit}`)}) AS decision`,
    rest: rest.join(" AND "),
    order: ordered,
    shape: `${order} ${driver?.[0] ?? "all"} ${cursor ? "after" : "first"}`,
  };
}

/** The policy and the rule that a gate's reason names: `Denied by "rule" (policy revision 3, path): words`. */
export const POLICY = `CASE WHEN kind = 'gate' AND reason LIKE '%" (% revision %'
  THEN split_part(split_part(reason, '" (', 2), ' revision ', 1) ELSE '' END`;
export const RULE = `CASE WHEN kind = 'gate' AND reason LIKE '%"%" (%' THEN split_part(split_part(reason, '" (', 1), '"', 2) ELSE '' END`;

/** The conditions of the filters on a row called `candidate`, but for the one that drives the search. */
export function conditionsOf(statement: Statement, filters: DecisionFilters, driver?: keyof DecisionFilters): string[] {
  const conditions = CONDITIONS.filter(([field]) => field !== driver && filters[field].length > 0).map(
    ([field, column]) => {
      const values = `${statement.bind(filters[field])}::text[]`;
      return field === "agent" ? isOfAgentsSql("candidate", values) : `${column} = ANY(${values})`;
    },
  );
  if (filters.policy.length > 0) conditions.push(`${POLICY} = ANY(${statement.bind(filters.policy)}::text[])`);
  if (filters.rule.length > 0) conditions.push(`${RULE} = ANY(${statement.bind(filters.rule)}::text[])`);
  if (filters.group.length > 0)
    conditions.push(`candidate.agent_id IN (SELECT member.agent_id FROM agent_group_member AS member JOIN agent_group AS named
      ON named.workspace_id = member.workspace_id AND named.id = member.group_id
      WHERE member.workspace_id = candidate.workspace_id AND named.name = ANY(${statement.bind(filters.group)}::text[]))`);
  if (filters.person.length > 0)
    conditions.push(isOfPrincipalsSql("candidate", filters.person, (value) => statement.bind(value)));
  if (filters.settled.length > 0)
    conditions.push(`kind = 'final' AND ${kindSql("source")} = ANY(${statement.bind(filters.settled)}::text[])`);
  if (filters.outcome.length > 0)
    conditions.push(`(${filters.outcome.map((outcome) => `(${OUTCOME_CONDITIONS[outcome]})`).join(" OR ")})`);
  conditions.push(...followUpConditions("candidate", filters, (value) => statement.bind(value)));
  if (filters.text !== "") {
    const pattern = statement.bind(`%${likeEscaped(filters.text)}%`);
    conditions.push(`(excerpt ILIKE ${pattern} OR reason ILIKE ${pattern})`);
  }
  return conditions;
}

/** `text` as a LIKE pattern that matches itself. */
export function likeEscaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

export interface Found {
  readonly rows: DecisionRow[];
  /** True if filters beyond the driving one were tried, so that the search may have stopped at its limit. */
  readonly isSearch: boolean;
}

/** The first `limit` decisions after the cursor, in the order asked. */
export async function list(pool: Pool, workspaceId: string, input: ListDecisions, limit: number): Promise<Found> {
  const statement = new Statement();
  const { candidates, rest, order, shape } = planOf(statement, workspaceId, input);
  const limited = statement.bind(limit);
  const { values } = statement;
  if (rest === "") {
    const text = `SELECT ${COLUMNS} ${candidates(limited)} ${order} LIMIT ${limited}`;
    const found = await pool.query<DecisionRow>({ name: `decisions ${shape}`, text, values });
    return { rows: found.rows, isSearch: false };
  }
  const text = `SELECT ${COLUMNS} FROM (SELECT workspace_id, ${COLUMNS} ${candidates(SEARCH_ROWS_MAX)} ${order} LIMIT ${SEARCH_ROWS_MAX}) AS candidate
    WHERE ${rest} ${order} LIMIT ${limited}`;
  return { rows: (await pool.query<DecisionRow>({ text, values })).rows, isSearch: true };
}

/** The number of matching decisions, up to `limit`, among those that one page may read. */
export async function count(
  pool: Pool,
  workspaceId: string,
  input: CountDecisionsInput,
  limit: number,
): Promise<number> {
  const statement = new Statement();
  const { candidates, rest, order } = planOf(statement, workspaceId, { ...input, order: "newest" });
  const limited = statement.bind(limit);
  const searched =
    rest === ""
      ? `SELECT 1 ${candidates(limited)} ${order} LIMIT ${limited}`
      : `SELECT 1 FROM (SELECT * ${candidates(SEARCH_ROWS_MAX)} ${order} LIMIT ${SEARCH_ROWS_MAX}) AS candidate
         WHERE ${rest} LIMIT ${limited}`;
  const found = await pool.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM (${searched}) AS matching`,
    values: statement.values,
  });
  return found.rows[0]?.count ?? 0;
}

/**
 * The last row that a search may have read, and the total number that it read. Null if it reached the end of the range.
 */
export async function findSearchEnd(
  pool: Pool,
  workspaceId: string,
  input: ListDecisions,
): Promise<{ key: DecisionKey; rows: number } | null> {
  const statement = new Statement();
  const unfiltered = onlyDriver(input.filters);
  const { candidates, order, shape } = planOf(statement, workspaceId, { ...input, filters: unfiltered });
  const opposite = input.order === "newest" ? "ASC" : "DESC";
  const found = await pool.query<{ occurred_at: Date; dispatch_id: string; total: number }>({
    name: `decisions end ${shape}`,
    text: `SELECT occurred_at, dispatch_id, count(*) OVER ()::int AS total
           FROM (SELECT occurred_at, dispatch_id ${candidates(SEARCH_ROWS_MAX)} ${order} LIMIT ${SEARCH_ROWS_MAX}) AS candidate
           ORDER BY occurred_at ${opposite}, dispatch_id ${opposite} LIMIT 1`,
    values: statement.values,
  });
  const row = found.rows[0];
  if (!row || row.total < SEARCH_ROWS_MAX) return null;
  return { key: { occurredAt: row.occurred_at, id: row.dispatch_id }, rows: row.total };
}

export const NO_FILTERS: DecisionFilters = {
  verdict: [],
  by: [],
  source: [],
  tool: [],
  agent: [],
  person: [],
  session: [],
  policy: [],
  rule: [],
  group: [],
  settled: [],
  outcome: [],
  assignee: [],
  keyword: [],
  has: [],
  text: "",
};

/** Only the filter that drives the index. */
function onlyDriver(filters: DecisionFilters): DecisionFilters {
  const driver = DRIVERS.find(([field]) => filters[field].length === 1);
  return driver ? { ...NO_FILTERS, [driver[0]]: filters[driver[0]] } : NO_FILTERS;
}

export interface FacetRow {
  facet: number;
  verdict: string | null;
  kind: string | null;
  source: string | null;
  tool_name: string | null;
  agent_name: string | null;
  session_id: string | null;
  count: number;
}

/** Counts per value over the newest `rowsMax` decisions of the range; per field at most `valuesMax` values. */
export async function listFacets(
  pool: Pool,
  workspaceId: string,
  range: DecisionRange,
  rowsMax: number,
  valuesMax: number,
): Promise<FacetRow[]> {
  const found = await pool.query<FacetRow>({
    name: "decision_facets",
    text: `SELECT * FROM (
             SELECT grouping(verdict, kind, source, tool_name, agent_name, session_id) AS facet,
               verdict, kind, source, tool_name, agent_name, session_id, count(*)::int AS count,
               row_number() OVER (PARTITION BY grouping(verdict, kind, source, tool_name, agent_name, session_id)
                                  ORDER BY count(*) DESC) AS place
             FROM (SELECT verdict, kind, source, tool_name, agent_name, session_id FROM tool_decision
                   WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3
                   ORDER BY occurred_at DESC, dispatch_id DESC LIMIT $4) AS newest
             GROUP BY GROUPING SETS ((), (verdict), (kind), (source), (tool_name), (agent_name), (session_id))
           ) AS counted WHERE place <= $5 ORDER BY facet, place`,
    values: [workspaceId, range.from, range.to, rowsMax, valuesMax],
  });
  return found.rows;
}

export async function find(pool: Pool, workspaceId: string, key: DecisionKey): Promise<DecisionRow | null> {
  const found = await pool.query<DecisionRow>({
    name: "find_decision",
    text: `SELECT ${COLUMNS} FROM tool_decision WHERE workspace_id = $1 AND occurred_at = $2 AND dispatch_id = $3`,
    values: [workspaceId, key.occurredAt, key.id],
  });
  return found.rows[0] ?? null;
}

export interface DispatchRow {
  received_at: Date;
  lane: string;
  origin: string;
  revision: string;
  duration_us: number;
  facts: string | null;
  input: string;
  answer: string;
  hooks: string;
}

export async function findDispatch(pool: Pool, workspaceId: string, key: DecisionKey): Promise<DispatchRow | null> {
  const found = await pool.query<DispatchRow>({
    name: "find_dispatch",
    text: `SELECT received_at, lane, origin, revision, duration_us, facts, input, answer, hooks FROM dispatch
           WHERE occurred_at = $2 AND id = $3 AND workspace_id = $1`,
    values: [workspaceId, key.occurredAt, key.id],
  });
  return found.rows[0] ?? null;
}

export interface CallRecordRow {
  occurred_at: Date;
  id: string;
  event: string;
  lane: string;
  origin: string;
  verdict: string;
  tool_error: boolean | null;
  duration_us: number;
  is_response_rewritten: boolean;
  kind: "gate" | "final" | null;
  decided: string | null;
  source: string | null;
}

const CALL_RECORDS = `SELECT dispatch.occurred_at, dispatch.id, dispatch.event, dispatch.lane, dispatch.origin, dispatch.verdict,
    dispatch.tool_error, dispatch.duration_us,
    CASE WHEN dispatch.answer LIKE '%"updated_tool_response"%'
      THEN dispatch.answer::json #> '{hook_specific_output,updated_tool_response}' IS NOT NULL ELSE false
    END AS is_response_rewritten, decision.kind, decision.verdict AS decided, decision.source
  FROM dispatch LEFT JOIN tool_decision AS decision
    ON decision.workspace_id = $1 AND decision.occurred_at = dispatch.occurred_at AND decision.dispatch_id = dispatch.id`;
const OLDEST_FIRST = "ORDER BY dispatch.occurred_at, dispatch.id LIMIT 40";

/** Everything stored about one tool call within `range`, oldest first. */
export async function listOfCall(
  pool: Pool,
  workspaceId: string,
  call: { sessionId: string; toolUseId: string },
  range: DecisionRange,
): Promise<CallRecordRow[]> {
  const found = await pool.query<CallRecordRow>({
    name: "dispatches_of_call",
    text: `${CALL_RECORDS} WHERE dispatch.workspace_id = $1 AND dispatch.session_id = $2 AND dispatch.tool_use_id = $3
      AND dispatch.occurred_at >= $4 AND dispatch.occurred_at < $5 ${OLDEST_FIRST}`,
    values: [workspaceId, call.sessionId, call.toolUseId, range.from, range.to],
  });
  return found.rows;
}

/** The records with these keys, oldest first. */
export async function listRecords(
  pool: Pool,
  workspaceId: string,
  keys: readonly DecisionKey[],
): Promise<CallRecordRow[]> {
  const found = await pool.query<CallRecordRow>({
    name: "dispatches_by_key",
    text: `${CALL_RECORDS} WHERE dispatch.workspace_id = $1 AND (dispatch.occurred_at, dispatch.id) IN (
      SELECT * FROM unnest($2::timestamptz[], $3::uuid[])) ${OLDEST_FIRST}`,
    values: [workspaceId, keys.map(({ occurredAt }) => occurredAt), keys.map(({ id }) => id)],
  });
  return found.rows;
}

/** The ids of the policies with these names, as they are called now. */
export async function listPolicyIds(
  pool: Pool,
  workspaceId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const found = await pool.query<{ id: string; name: string }>({
    name: "policy_ids",
    text: "SELECT id, name FROM policy WHERE workspace_id = $1 AND name = ANY($2::text[])",
    values: [workspaceId, names],
  });
  return new Map(found.rows.map(({ id, name }) => [name, id]));
}

export async function isAgent(pool: Pool, workspaceId: string, agentId: string): Promise<boolean> {
  const found = await pool.query({
    name: "is_agent",
    text: "SELECT 1 FROM agent WHERE workspace_id = $1 AND id = $2",
    values: [workspaceId, agentId],
  });
  return found.rows.length > 0;
}
