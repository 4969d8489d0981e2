import type { Database } from "../platform/db.ts";
import { isOfAgentsSql } from "../recording/index.ts";
import type { ListSessions, SessionRef, SessionState, SessionTrait } from "./schema.ts";

export interface SessionRow {
  readonly agent_id: string;
  readonly session_id: string;
  readonly agent_name: string;
  readonly parent_session_id: string | null;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly last_end_at: Date | null;
  readonly last_end_reason: string | null;
  readonly events: string;
  readonly turns: string | null;
  readonly denied: string;
  readonly compactions: string;
  readonly calls_priced: string;
  readonly calls_free: string;
  readonly calls_unpriced: string;
  readonly cost_nano: string;
}

/** The calls that a gate denied and whose end no client reported: most clients report no final decision. */
const GATE_DENIALS = `FROM tool_decision AS gate WHERE gate.workspace_id = $1 AND gate.session_id = one.session_id
  AND gate.agent_id = one.agent_id AND gate.occurred_at >= one.first_at AND gate.occurred_at <= one.last_at
  AND gate.verdict = 'deny' AND gate.kind = 'gate' AND NOT EXISTS (SELECT 1 FROM tool_decision AS final
    WHERE final.workspace_id = $1 AND final.session_id = gate.session_id AND final.agent_id = gate.agent_id
      AND final.tool_use_id::name = gate.tool_use_id::name AND final.tool_use_id = gate.tool_use_id AND final.kind = 'final')`;
const DENIED = `one.denied + (SELECT count(DISTINCT coalesce(gate.tool_use_id, gate.dispatch_id::text)) ${GATE_DENIALS})`;
const COLUMNS = `agent_id, session_id, agent_name, parent_session_id, first_at, last_at, last_end_at, last_end_reason, events,
  turns, ${DENIED} AS denied, compactions, calls_priced, calls_free, calls_unpriced, cost_nano`;
const CHILDREN = `SELECT 1 FROM session child WHERE child.workspace_id = $1
  AND child.parent_session_id = one.session_id AND child.agent_id = one.agent_id AND child.session_id <> one.session_id`;

/** A `subagent_stop` follows its session's end; an event later than this after the end belongs to another run. */
const END_SLACK = "interval '10 seconds'";
const IS_ENDED = `(one.last_end_at IS NOT NULL AND one.last_at <= one.last_end_at + ${END_SLACK})`;
/** $2 is the instant from which on a session counts as active. */
const STATES: Readonly<Record<SessionState, string>> = {
  ended: IS_ENDED,
  running: `(NOT ${IS_ENDED} AND one.last_at >= $2)`,
  quiet: `(NOT ${IS_ENDED} AND one.last_at < $2)`,
};
const STATE = `CASE WHEN ${STATES.ended} THEN 'ended' WHEN ${STATES.running} THEN 'running' ELSE 'quiet' END AS state`;
const TRAITS: Readonly<Record<SessionTrait, string>> = {
  denials: `(one.denied > 0 OR EXISTS (SELECT 1 ${GATE_DENIALS}))`,
  compactions: "one.compactions > 0",
  unpriced: "one.calls_unpriced > 0",
  parent: "one.parent_session_id IS NOT NULL",
  "sub-sessions": `EXISTS (${CHILDREN})`,
};

/** The event of each filter by words; the word is its `detail`. Index `dispatch_word`. */
const WORD_EVENTS = { switches: "on_agent_switch", turnEnds: "turn_end" } as const;
const hasWord = (event: string, words: string) => `EXISTS (SELECT 1 FROM dispatch word
  WHERE word.workspace_id = $1 AND word.session_id = one.session_id AND word.agent_id = one.agent_id
    AND word.event = '${event}' AND word.detail::name = ANY(${words}::text[]::name[]) AND word.detail = ANY(${words}::text[])
    AND word.occurred_at >= one.first_at AND word.occurred_at <= one.last_at)`;

export type ListedRow = SessionRow & { readonly state: SessionState; readonly children: string };

type Put = (value: unknown) => string;
export type SessionFilters = Omit<ListSessions, "text" | "limit" | "direction">;

/** The condition on `one`, a row of session. $1 to $4 are the workspace, the instant of activity and the range. */
function listedSql({ agents, states, traits, cursor, ...words }: SessionFilters, put: Put): string {
  return [
    "one.workspace_id = $1 AND one.last_at >= $3 AND one.first_at < $4 AND $2::timestamptz IS NOT NULL",
    ...(agents.length > 0 ? [isOfAgentsSql("one", `${put(agents)}::text[]`)] : []),
    ...(states.length > 0 ? [`(${states.map((state) => STATES[state]).join(" OR ")})`] : []),
    ...traits.map((trait) => TRAITS[trait]),
    ...(["switches", "turnEnds"] as const).flatMap((field) =>
      words[field].length > 0 ? [hasWord(WORD_EVENTS[field], put(words[field]))] : [],
    ),
    ...(cursor
      ? [
          `one.last_at <= ${put(cursor.lastAt)}::timestamptz`,
          `(one.last_at, one.agent_id, one.session_id) < (${put(cursor.lastAt)}::timestamptz, ${put(cursor.agentId)}::uuid, ${put(cursor.sessionId)}::text)`,
        ]
      : []),
  ].join(" AND ");
}

function parameters(workspaceId: string, { from, to }: SessionFilters, activeSince: Date) {
  const values: unknown[] = [workspaceId, activeSince, from, to];
  return { values, put: (value: unknown) => `$${values.push(value)}` };
}

const NEWEST_FIRST = "ORDER BY one.last_at DESC, one.agent_id DESC, one.session_id DESC";

/** Sessions that were active in the range and before the cursor, the most recent first; with `among`, only those. */
export async function listSessions(
  db: Database,
  workspaceId: string,
  filters: SessionFilters,
  { activeSince, limit, among }: { activeSince: Date; limit: number; among?: readonly SessionRef[] },
): Promise<readonly ListedRow[]> {
  const { values, put } = parameters(workspaceId, filters, activeSince);
  const where = listedSql(filters, put);
  const isAmong =
    among === undefined
      ? ""
      : `AND (one.agent_id, one.session_id) IN (SELECT * FROM unnest(${put(among.map(({ agentId }) => agentId))}::uuid[],
          ${put(among.map(({ sessionId }) => sessionId))}::text[]))`;
  const found = await db.pool.query<ListedRow>(
    `SELECT one.*, ${STATE}, (SELECT count(*) FROM (${CHILDREN} LIMIT 1000) AS few) AS children FROM (
       SELECT ${COLUMNS} FROM session one WHERE ${where} ${isAmong} ${NEWEST_FIRST} LIMIT ${put(limit)}
     ) AS one ${NEWEST_FIRST}`,
    values,
  );
  return found.rows;
}

export type NamedRow = Pick<SessionRow, "agent_id" | "session_id" | "agent_name" | "first_at" | "last_at">;

/** The names of the same sessions, without their figures. */
export async function listNames(
  db: Database,
  workspaceId: string,
  filters: SessionFilters,
  { activeSince, limit }: { activeSince: Date; limit: number },
): Promise<readonly NamedRow[]> {
  const { values, put } = parameters(workspaceId, filters, activeSince);
  const where = listedSql(filters, put);
  const found = await db.pool.query<NamedRow>(
    `SELECT agent_id, session_id, agent_name, first_at, last_at FROM session one WHERE ${where} ${NEWEST_FIRST}
     LIMIT ${put(limit)}`,
    values,
  );
  return found.rows;
}

export async function findSession(
  db: Database,
  workspaceId: string,
  { agentId, sessionId }: SessionRef,
  activeSince: Date,
): Promise<ListedRow | null> {
  const found = await db.pool.query<ListedRow>({
    name: "sessions_one",
    text: `SELECT ${COLUMNS}, ${STATE}, (SELECT count(*) FROM (${CHILDREN} LIMIT 1000) AS few) AS children
           FROM session one WHERE one.workspace_id = $1 AND one.agent_id = $3 AND one.session_id = $4
             AND $2::timestamptz IS NOT NULL`,
    values: [workspaceId, activeSince, agentId, sessionId],
  });
  return found.rows[0] ?? null;
}

export type LaneRow = SessionRow & { readonly first_id: string | null };

/**
 * The session with its descendants, each once even if parents form a cycle, with the first event of each. OFFSET 0
 * makes each step an index lookup: the planner expects far more rows than a tree has.
 */
export async function listTree(
  db: Database,
  workspaceId: string,
  { agentId, sessionId }: SessionRef,
  limit: number,
): Promise<readonly LaneRow[]> {
  const found = await db.pool.query<LaneRow>({
    name: "sessions_tree",
    text: `WITH RECURSIVE down AS (
             SELECT $3::text AS session_id
             UNION
             SELECT child.session_id FROM down CROSS JOIN LATERAL (
               SELECT session_id FROM session WHERE workspace_id = $1
                 AND parent_session_id = down.session_id AND session.agent_id = $2 OFFSET 0) child
           )
           SELECT one.*, first.id AS first_id FROM (SELECT * FROM down LIMIT $4) AS wanted CROSS JOIN LATERAL (
             SELECT ${COLUMNS} FROM session AS one WHERE one.workspace_id = $1 AND one.agent_id = $2
               AND one.session_id = wanted.session_id OFFSET 0) one
           LEFT JOIN LATERAL (
             SELECT dispatch.id FROM dispatch WHERE dispatch.workspace_id = $1 AND dispatch.session_id = one.session_id
               AND dispatch.occurred_at = one.first_at AND dispatch.agent_id = $2
             ORDER BY dispatch.id LIMIT 1) first ON true`,
    values: [workspaceId, agentId, sessionId, limit],
  });
  return found.rows;
}

/** The ids of the sessions above, from the parent up; a ring ends where it began. */
export async function listAncestors(
  db: Database,
  workspaceId: string,
  { agentId, sessionId }: SessionRef,
): Promise<readonly string[]> {
  const found = await db.pool.query<{ session_id: string }>({
    name: "sessions_ancestors",
    text: `WITH RECURSIVE up AS (
             SELECT session_id, parent_session_id, 0 AS level FROM session
             WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3
             UNION ALL
             SELECT parent.session_id, parent.parent_session_id, up.level + 1 FROM up CROSS JOIN LATERAL (
               SELECT session_id, parent_session_id FROM session WHERE workspace_id = $1 AND session.agent_id = $2
                 AND session.session_id = up.parent_session_id AND session.session_id <> $3 OFFSET 0) parent
             WHERE up.level < 16
           ) SELECT session_id FROM up WHERE level > 0 ORDER BY level`,
    values: [workspaceId, agentId, sessionId],
  });
  return [...new Set(found.rows.map((row) => row.session_id))];
}
