import type { Database } from "../../platform/db.ts";
import { GAP_EVENTS, type Gaps, type SessionEventRow, SILENCE_MS } from "../gaps.ts";
import type { CoverageInput, SessionRef } from "../schema.ts";

export interface DueSession {
  readonly agent_id: string;
  readonly session_id: string;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly events: string;
}

/**
 * A long active session is not read again for every event: it is skipped for this many milliseconds for each of its
 * events. So each active session costs ten rows a second at most, however many events it has.
 */
const REST_MS_PER_EVENT = 100;
const SILENCE = `interval '${SILENCE_MS} milliseconds'`;

/** Sessions with events since their last check, and sessions that fell silent with an open part; the oldest first. */
export async function listDue(
  db: Database,
  workspaceId: string,
  { since, now, limit }: { since: Date; now: Date; limit: number },
): Promise<readonly DueSession[]> {
  const found = await db.pool.query<DueSession>({
    name: "sessions_due",
    text: `SELECT one.agent_id, one.session_id, one.first_at, one.last_at, one.events FROM session one
           LEFT JOIN session_seen seen ON seen.workspace_id = one.workspace_id AND seen.agent_id = one.agent_id
             AND seen.session_id = one.session_id
           WHERE one.workspace_id = $1 AND one.last_at >= $2 AND (seen.events IS NULL
             OR (seen.events <> one.events
               AND seen.checked_at < $3::timestamptz - one.events * interval '${REST_MS_PER_EVENT} milliseconds')
             OR (seen.under_way > 0 AND NOT seen.is_cut AND seen.checked_at < $3::timestamptz - ${SILENCE}))
           ORDER BY one.last_at LIMIT $4`,
    values: [workspaceId, since, now, limit],
  });
  return found.rows;
}

/** The events of a session that a check reads. */
export interface SessionEvents {
  readonly rows: readonly SessionEventRow[];
  readonly heardAt: Date | null;
}

/**
 * The relevant events of each session in any order, at most `limit`, and the arrival time of the last one: late reports
 * may still be arriving.
 */
export async function listEvents(
  db: Database,
  workspaceId: string,
  sessions: readonly DueSession[],
  limit: number,
): Promise<readonly SessionEvents[]> {
  const found = await db.pool.query<{
    place: number;
    ms: string;
    event: string;
    tool_use_id: string | null;
    detail: string | null;
    received_at: Date;
  }>({
    name: "sessions_told",
    // The limit makes PostgreSQL read one session after the other by its index, regardless of its statistics.
    text: `SELECT due.place::int AS place, round(extract(epoch FROM one.occurred_at) * 1000) AS ms, one.event,
             left(one.tool_use_id, 200) AS tool_use_id, left(one.detail, 20) AS detail, one.received_at
           FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[])
             WITH ORDINALITY AS due (agent_id, session_id, first_at, last_at, place),
           LATERAL (SELECT occurred_at, event, tool_use_id, detail, received_at FROM dispatch
             WHERE workspace_id = $1 AND session_id = due.session_id AND agent_id = due.agent_id
               AND occurred_at >= due.first_at AND occurred_at <= due.last_at AND event = ANY($6::text[])
             ORDER BY occurred_at LIMIT $7) AS one`,
    values: [
      workspaceId,
      sessions.map((one) => one.agent_id),
      sessions.map((one) => one.session_id),
      sessions.map((one) => one.first_at.toISOString()),
      sessions.map((one) => one.last_at.toISOString()),
      GAP_EVENTS,
      limit,
    ],
  });
  const all = sessions.map(() => ({ rows: [] as SessionEventRow[], heardAt: null as Date | null }));
  for (const { place, ms, event, tool_use_id, detail, received_at } of found.rows) {
    const of = all[place - 1];
    if (of === undefined) continue;
    if (of.heardAt === null || received_at > of.heardAt) of.heardAt = received_at;
    of.rows.push({ atMs: Number(ms), event, toolUseId: tool_use_id, detail });
  }
  return all;
}

/** The counts as stored, each column with its member of `Gaps`. */
const COUNTS = {
  under_way: "underWay",
  turns: "turns",
  turn_starts: "turnStarts",
  turn_ends: "turnEnds",
  turns_without_end: "turnsWithoutEnd",
  turns_without_start: "turnsWithoutStart",
  calls: "calls",
  answers: "answers",
  calls_without_answer: "callsWithoutAnswer",
  tool_calls: "toolCalls",
  tool_decisions: "toolDecisions",
  tool_results: "toolResults",
  tools_without_decision: "toolsWithoutDecision",
  tools_without_result: "toolsWithoutResult",
  iterations_skipped: "iterationsSkipped",
} as const satisfies Record<string, keyof Gaps>;
const NAMES = Object.keys(COUNTS);

export type SeenRow = Readonly<Record<keyof typeof COUNTS, string>>;

export interface CheckedSession {
  readonly session: DueSession;
  readonly gaps: Gaps;
  readonly isCut: boolean;
}

const COLUMNS = ["first_at", "last_at", "events", "is_cut", ...NAMES];
const TYPES = ["timestamptz", "timestamptz", "bigint", "boolean", ...NAMES.map(() => "integer")];

/** Stores the results, without removed sessions. If two checks run at once, the one with more events wins. */
export async function upsertSeen(
  db: Database,
  workspaceId: string,
  checkedAt: Date,
  checked: readonly CheckedSession[],
): Promise<void> {
  const arrays = TYPES.map((type, index) => `$${index + 5}::${type}[]`).join(", ");
  await db.pool.query({
    name: "sessions_upsert_seen",
    // In one order everywhere: two nodes may check the same sessions.
    text: `INSERT INTO session_seen (workspace_id, agent_id, session_id, checked_at, ${COLUMNS.join(", ")})
           SELECT $1::uuid, seen.agent_id, seen.session_id, $2::timestamptz, ${COLUMNS.map((name) => `seen.${name}`).join(", ")}
           FROM unnest($3::uuid[], $4::text[], ${arrays}) AS seen (agent_id, session_id, ${COLUMNS.join(", ")}),
           LATERAL (SELECT FROM session WHERE session.workspace_id = $1 AND session.agent_id = seen.agent_id
             AND session.session_id = seen.session_id LIMIT 1 FOR KEY SHARE) AS stored
           ORDER BY seen.agent_id, seen.session_id
           ON CONFLICT (workspace_id, agent_id, session_id) DO UPDATE SET checked_at = excluded.checked_at,
             ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ")}
           WHERE session_seen.events <= excluded.events`,
    values: [
      workspaceId,
      checkedAt,
      checked.map(({ session }) => session.agent_id),
      checked.map(({ session }) => session.session_id),
      checked.map(({ session }) => session.first_at.toISOString()),
      checked.map(({ session }) => session.last_at.toISOString()),
      checked.map(({ session }) => session.events),
      checked.map(({ isCut }) => isCut),
      ...Object.values(COUNTS).map((name) => checked.map(({ gaps }) => gaps[name])),
    ],
  });
}

const SUMS = NAMES.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(", ");
const DIGITS = NAMES.map((name) => `${name}::bigint AS ${name}`).join(", ");

export interface SeenSums extends SeenRow {
  readonly agent_id: string;
  readonly checked_at: Date | null;
}

/** Sums per agent over the sessions that were active in the range. */
export async function listSeen(
  db: Pick<Database, "pool">,
  workspaceId: string,
  { from, to, agentId = null }: Pick<CoverageInput, "from" | "to"> & { agentId?: string | null },
): Promise<readonly SeenSums[]> {
  const found = await db.pool.query<SeenSums>({
    name: "sessions_seen",
    text: `SELECT agent_id, max(checked_at) AS checked_at, ${SUMS} FROM session_seen
           WHERE workspace_id = $1 AND last_at >= $2 AND first_at < $3 AND ($4::uuid IS NULL OR agent_id = $4)
           GROUP BY agent_id`,
    values: [workspaceId, from, to, agentId],
  });
  return found.rows;
}

/** The same, only for these agents. */
export async function listSeenOfAgents(
  db: Pick<Database, "pool">,
  workspaceId: string,
  { from, to }: Pick<CoverageInput, "from" | "to">,
  agentIds: readonly string[],
): Promise<readonly SeenSums[]> {
  const found = await db.pool.query<SeenSums>({
    name: "sessions_seen_of_agents",
    text: `SELECT agent_id, max(checked_at) AS checked_at, ${SUMS} FROM session_seen
           WHERE workspace_id = $1 AND last_at >= $2 AND first_at < $3 AND agent_id = ANY($4::uuid[])
           GROUP BY agent_id`,
    values: [workspaceId, from, to, agentIds],
  });
  return found.rows;
}

/** One session's counts; null before its first check. */
export async function findSeen(db: Database, workspaceId: string, { agentId, sessionId }: SessionRef) {
  const found = await db.pool.query<SeenSums & { readonly events: string }>({
    name: "sessions_seen_one",
    text: `SELECT agent_id, checked_at, events, ${DIGITS} FROM session_seen
           WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3`,
    values: [workspaceId, agentId, sessionId],
  });
  return found.rows[0] ?? null;
}

/** The number of sessions active in the range, and of those with unchecked events. */
export async function countSessions(
  db: Database,
  workspaceId: string,
  { from, to, agentId = null }: Pick<CoverageInput, "from" | "to"> & { agentId?: string | null },
): Promise<{ readonly sessions: string; readonly waiting: string }> {
  const found = await db.pool.query<{ sessions: string; waiting: string }>({
    name: "sessions_counted",
    text: `SELECT count(*) AS sessions, count(*) FILTER (WHERE seen.events IS DISTINCT FROM one.events) AS waiting
           FROM session one LEFT JOIN session_seen seen ON seen.workspace_id = one.workspace_id
             AND seen.agent_id = one.agent_id AND seen.session_id = one.session_id
           WHERE one.workspace_id = $1 AND one.last_at >= $2 AND one.first_at < $3
             AND ($4::uuid IS NULL OR one.agent_id = $4)`,
    values: [workspaceId, from, to, agentId],
  });
  return found.rows[0] ?? { sessions: "0", waiting: "0" };
}

export interface ReportsRow {
  readonly reports: string;
  readonly min_ms: string | null;
  readonly max_ms: string | null;
  readonly sum_ms: string | null;
}

/** The delays of reports in the hours of the range. */
export async function sumReports(
  db: Database,
  workspaceId: string,
  { from, to, agentId = null }: Pick<CoverageInput, "from" | "to"> & { agentId?: string | null },
): Promise<ReportsRow | null> {
  const found = await db.pool.query<ReportsRow>({
    name: "sessions_reports",
    text: `SELECT coalesce(sum(reports), 0) AS reports, min(delay_min_ms) AS min_ms, max(delay_max_ms) AS max_ms,
             sum(delay_sum_ms) AS sum_ms
           FROM report_hour WHERE workspace_id = $1 AND bucket >= date_trunc('hour', $2::timestamptz) AND bucket < $3
             AND ($4::uuid IS NULL OR agent_id = $4)`,
    values: [workspaceId, from, to, agentId],
  });
  return found.rows[0] ?? null;
}

/** The time of the last event of the agent, or of any agent. */
export async function findLastSeen(db: Database, workspaceId: string, agentId: string | null): Promise<Date | null> {
  const found = await db.pool.query<{ at: Date | null }>({
    name: "sessions_last_seen",
    text: `SELECT max(last_seen_at) AS at FROM agent WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id = $2)`,
    values: [workspaceId, agentId],
  });
  return found.rows[0]?.at ?? null;
}

/** The client of an agent's latest event, with its version; null before the first. */
export async function findClient(
  db: Database,
  workspaceId: string,
  agentId: string,
): Promise<{ readonly client: string; readonly version: string | null } | null> {
  const found = await db.pool.query<{ client: string | null; version: string | null }>({
    name: "sessions_client",
    text: `SELECT client, client_version AS version FROM agent WHERE workspace_id = $1 AND id = $2`,
    values: [workspaceId, agentId],
  });
  const { client = null, version = null } = found.rows[0] ?? {};
  return client === null ? null : { client, version };
}

/** Every workspace; asked in the scope of the installation. */
export async function listWorkspaces(db: Database): Promise<readonly string[]> {
  const found = await db.pool.query<{ id: string }>("SELECT id FROM workspace ORDER BY id");
  return found.rows.map(({ id }) => id);
}

/** Tells the other nodes. */
export async function notify(db: Database, channel: string, payload: string): Promise<void> {
  await db.pool.query("SELECT pg_notify($1, $2)", [channel, payload]);
}
