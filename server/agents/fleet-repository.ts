/**
 * SQL for the list of agents: filtered and sorted over the whole workspace, with figures for the rows of one page.
 * Figures come from the hourly rollups; no query reads `dispatch`.
 */
import type { Database } from "../platform/db.ts";
import { isOwnerOfSql } from "../principals/index.ts";
import {
  GOVERNED,
  HEARD,
  isIn,
  NEEDS_ATTENTION,
  ONLY_OBSERVED,
  POSTURES,
  REACH,
  STATUSES,
  WITHOUT_POLICY,
} from "./posture-sql.ts";
import { type AgentRow, type AgentSort, NO_POLICY, OBSERVED_ONLY, parseSeenAge, type SearchAgents } from "./schema.ts";

type Pool = Pick<Database, "pool">;

const NAMES_MAX = 10_000;
const TAGS_SHOWN = 50;
const NAMES_OF_AGENT_MAX = 500;

/** Text for names, whole numbers for the rest; agents never seen are sorted last. */
const SORT_KEYS: Readonly<Record<AgentSort, string>> = {
  name: 'lower(agent.name) COLLATE "C"',
  seen: `coalesce((extract(epoch FROM ${HEARD}) * 1000000)::bigint, -1)`,
  calls: "coalesce(figure.calls, 0)",
  denied: "coalesce(figure.denied, 0)",
  spend: "coalesce(figure.nano, 0)",
};
/** The calls of a rollup's row. A client that reports no final decisions has those that its gates checked. */
const CALLS = "GREATEST(allowed + denied + canceled, gates)";
const DENIED = "GREATEST(denied, gate_denied)";
const FIGURE = (put: (value: unknown) => string, { from, to }: Hours) => `figure AS (
    SELECT agent_id, sum(${CALLS})::bigint AS calls, sum(${DENIED})::bigint AS denied,
      sum(cost_nano)::bigint AS nano
    FROM rollup_hour WHERE workspace_id = $1 AND bucket >= ${put(from)} AND bucket < ${put(to)} GROUP BY agent_id
  )`;

/** Whole hours, the end not among them. */
export interface Hours {
  readonly from: Date;
  readonly to: Date;
}

export interface FoundAgent {
  readonly id: string;
  readonly name: string;
  readonly is_demo: boolean;
  readonly retired_at: Date | null;
  readonly last_seen_at: Date | null;
  readonly heard_at: Date | null;
  readonly client: string | null;
  readonly client_version: string | null;
  readonly last_revision: string | null;
  readonly polled_revision: string | null;
  readonly drilled_at: Date | null;
  readonly is_yolo: boolean;
  readonly is_unchecked: boolean;
  readonly is_outdated: boolean;
  readonly tags: string[];
  readonly owner: AgentRow["owner"];
  readonly groups: string[];
  readonly open_keys: number;
  readonly key: string;
}

const COLUMNS = `agent.id, agent.name, agent.is_demo, agent.retired_at, agent.last_seen_at, ${HEARD} AS heard_at, agent.client,
  agent.client_version, agent.last_revision, agent.polled_revision, agent.tags,
  (SELECT jsonb_build_object('id', own.principal_id, 'certainty', own.certainty) FROM agent_owner AS own
    WHERE own.workspace_id = $1 AND own.agent_id = agent.id) AS owner,
  ${POSTURES.yolo} AS is_yolo, ${POSTURES.unchecked} AS is_unchecked, ${POSTURES.outdated} AS is_outdated,
  (SELECT max(reported_at) FROM agent_drill drill WHERE drill.workspace_id = $1 AND drill.agent_id = agent.id) AS drilled_at,
  ARRAY(SELECT grp.name FROM agent_group_member member JOIN agent_group grp
      ON grp.workspace_id = $1 AND grp.id = member.group_id
    WHERE member.workspace_id = $1 AND member.agent_id = agent.id ORDER BY grp.position, grp.id) AS groups,
  (SELECT count(*)::int FROM agent_key WHERE agent_key.workspace_id = $1 AND agent_key.agent_id = agent.id
    AND agent_key.revoked_at IS NULL AND (agent_key.expires_at IS NULL OR agent_key.expires_at > $2)) AS open_keys`;

/** Agents that match, in order, after the cursor; and how many match in all, unless a cursor is given. */
export async function searchAgents(
  { pool }: Pool,
  workspaceId: string,
  input: SearchAgents,
  hours: Hours,
  now: Date,
): Promise<{ readonly rows: readonly FoundAgent[]; readonly total: number | null }> {
  const { sort, isDescending, cursor, limit } = input;
  const values: unknown[] = [workspaceId, now];
  const put = (value: unknown) => `$${values.push(value)}`;
  const where = ["agent.workspace_id = $1", "$2::timestamptz IS NOT NULL", ...conditionsOf(input, put, now)].join(
    " AND ",
  );
  const reach = input.policies.length > 0 ? [REACH, GOVERNED] : [];
  const withOf = (tables: readonly string[]) => (tables.length > 0 ? `WITH ${tables.join(", ")}` : "");
  const counting = cursor
    ? null
    : pool.query<{ total: number }>(`${withOf(reach)} SELECT count(*)::int AS total FROM agent WHERE ${where}`, [
        ...values,
      ]);
  const isFigure = sort !== "name" && sort !== "seen";
  const tables = isFigure ? [...reach, FIGURE(put, hours)] : reach;
  const from = `agent${isFigure ? " LEFT JOIN figure ON figure.agent_id = agent.id" : ""}`;
  const key = SORT_KEYS[sort];
  const [order, after] = isDescending ? ["DESC", "<"] : ["ASC", ">"];
  const type = sort === "name" ? 'text COLLATE "C"' : "bigint";
  const next = cursor ? `AND (${key}, agent.id) ${after} (${put(cursor.key)}::${type}, ${put(cursor.id)}::uuid)` : "";
  const [found, counted] = await Promise.all([
    pool.query<FoundAgent>(
      `${withOf(tables)} SELECT ${COLUMNS}, (${key})::text AS key FROM ${from} WHERE ${where} ${next}
       ORDER BY ${key} ${order}, agent.id ${order} LIMIT ${put(limit + 1)}`,
      values,
    ),
    counting,
  ]);
  return { rows: found.rows, total: counted ? (counted.rows[0]?.total ?? 0) : null };
}

/** Returns one agent as the list shows it; null when there is no match. */
export async function findAgentRow({ pool }: Pool, workspaceId: string, id: string, now: Date) {
  const found = await pool.query<FoundAgent>({
    name: "agents_row",
    text: `SELECT ${COLUMNS}, '' AS key FROM agent WHERE agent.workspace_id = $1 AND agent.id = $3`,
    values: [workspaceId, now, id],
  });
  return found.rows[0] ?? null;
}

function conditionsOf(input: SearchAgents, put: (value: unknown) => string, now: Date): string[] {
  const { policies, seen, groups, tags, persons, names, statuses, clients, postures, text } = input;
  const any = (conditions: readonly string[]) => (conditions.length > 0 ? [`(${conditions.join(" OR ")})`] : []);
  const inName = (word: string) => `strpos(lower(agent.name), lower(${put(word)})) > 0`;
  return [
    ...any(policies.map((policy) => policyCondition(policy, put))),
    ...any(seen.map((text) => seenCondition(text, put, now))),
    ...any(statuses.map((status) => STATUSES[status])),
    ...any(postures.map((posture) => POSTURES[posture])),
    ...any(names.map(inName)),
    ...(persons.length > 0 ? [isOwnerOfSql("agent", persons, put)] : []),
    ...(clients.length > 0 ? [`agent.client = ANY(${put(clients)}::text[])`] : []),
    ...(tags.length > 0 ? [`agent.tags && ${put(tags)}::text[]`] : []),
    ...(groups.length > 0
      ? [
          `EXISTS (SELECT 1 FROM agent_group_member member JOIN agent_group grp
             ON grp.workspace_id = $1 AND grp.id = member.group_id AND grp.name = ANY(${put(groups)}::text[])
           WHERE member.workspace_id = $1 AND member.agent_id = agent.id)`,
        ]
      : []),
    ...text
      .split(/\s+/)
      .filter((word) => word !== "")
      .map(inName),
  ];
}

function policyCondition(policy: string, put: (value: unknown) => string): string {
  if (policy === NO_POLICY) return WITHOUT_POLICY;
  if (policy === OBSERVED_ONLY) return ONLY_OBSERVED;
  return isIn(`SELECT agent_id FROM reach WHERE name = ${put(policy)}`);
}

function seenCondition(text: string, put: (value: unknown) => string, now: Date): string {
  const age = parseSeenAge(text);
  if (age === null) return `${HEARD} IS NULL`;
  return `${HEARD} ${age.isOlder ? "<" : ">="} ${put(new Date(now.getTime() - age.ms))}::timestamptz`;
}

export interface CountsRow {
  readonly enrolled: number;
  readonly without_policy: number;
  readonly observed_only: number;
  readonly silent: number;
  readonly never_seen: number;
  readonly retired: number;
  readonly yolo: number;
  readonly outdated: number;
  readonly unchecked: number;
  readonly blind_spots: number;
  readonly undrilled: number;
  readonly needs_attention: number;
}

export async function countAgents({ pool }: Pool, workspaceId: string, now: Date): Promise<CountsRow | undefined> {
  const count = (condition: string) => `count(*) FILTER (WHERE ${condition})::int`;
  const found = await pool.query<CountsRow>(
    `WITH ${REACH}, ${GOVERNED}
     SELECT ${count("agent.retired_at IS NULL")} AS enrolled, ${count(WITHOUT_POLICY)} AS without_policy,
       ${count(ONLY_OBSERVED)} AS observed_only, ${count(STATUSES.silent)} AS silent,
       ${count(STATUSES.never)} AS never_seen, ${count(STATUSES.retired)} AS retired,
       ${count(POSTURES.yolo)} AS yolo, ${count(POSTURES.outdated)} AS outdated,
       ${count(POSTURES.unchecked)} AS unchecked,
       ${count(POSTURES.blind_spots)} AS blind_spots, ${count(POSTURES.undrilled)} AS undrilled,
       ${count(NEEDS_ATTENTION)} AS needs_attention
     FROM agent WHERE agent.workspace_id = $1`,
    [workspaceId, now],
  );
  return found.rows[0];
}

/** The tags that most agents have. */
export async function listTags({ pool }: Pool, workspaceId: string) {
  const found = await pool.query<{ value: string; count: number }>({
    name: "agents_tags",
    text: `SELECT tag AS value, count(*)::int AS count FROM agent, unnest(tags) AS tag
           WHERE workspace_id = $1 GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${TAGS_SHOWN}`,
    values: [workspaceId],
  });
  return found.rows;
}

/** Every agent, by name. */
export async function listNames({ pool }: Pool, workspaceId: string) {
  const found = await pool.query<{ id: string; name: string }>({
    name: "agents_names",
    text: `SELECT id, name FROM agent WHERE workspace_id = $1 ORDER BY name LIMIT ${NAMES_MAX}`,
    values: [workspaceId],
  });
  return found.rows;
}

const FIGURES = {
  calls: CALLS,
  denied: DENIED,
  model_calls: "calls_priced + calls_free + calls_unpriced",
  free: "calls_free",
  unpriced: "calls_unpriced",
  nano: "cost_nano",
} as const;
/** Sums of bigint columns arrive as digits. */
export type FiguresRow = Record<keyof typeof FIGURES, string> & {
  readonly agent_id: string;
  readonly agent_name: string;
};
const SUMS = Object.entries(FIGURES)
  .map(([name, sum]) => `sum(${sum}) AS ${name}`)
  .join(", ");

/** The names under which these agents' sub-sessions ran in the range: each is a sub-agent. */
export async function listSubAgentNames(
  { pool }: Pool,
  workspaceId: string,
  agentIds: readonly string[],
  { from, to }: Hours,
) {
  const found = await pool.query<{ agent_id: string; agent_name: string }>({
    name: "agents_sub_agents",
    text: `SELECT DISTINCT agent_id, agent_name FROM session
           WHERE workspace_id = $1 AND agent_id = ANY($2::uuid[]) AND last_at >= $3 AND first_at < $4
             AND parent_session_id IS NOT NULL
           LIMIT ${NAMES_OF_AGENT_MAX} * cardinality($2::uuid[])`,
    values: [workspaceId, agentIds, from, to],
  });
  return found.rows;
}

/** The sums of these agents, by the name in their events: one index look-up per agent and hour. */
export async function listFigures(
  { pool }: Pool,
  workspaceId: string,
  agentIds: readonly string[],
  { from, to }: Hours,
): Promise<readonly FiguresRow[]> {
  const found = await pool.query<FiguresRow>({
    name: "agents_figures",
    text: `SELECT wanted.agent_id, cell.agent_name, ${SUMS} FROM unnest($2::uuid[]) AS wanted (agent_id)
             CROSS JOIN generate_series($3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour') AS hour
             CROSS JOIN LATERAL (SELECT * FROM rollup_hour WHERE workspace_id = $1 AND bucket = hour
               AND rollup_hour.agent_id = wanted.agent_id OFFSET 0) AS cell
           GROUP BY wanted.agent_id, cell.agent_name
           ORDER BY sum(cell.cost_nano) DESC, sum(cell.dispatches) DESC, cell.agent_name
           LIMIT ${NAMES_OF_AGENT_MAX} * cardinality($2::uuid[])`,
    values: [workspaceId, agentIds, from, to],
  });
  return found.rows;
}
