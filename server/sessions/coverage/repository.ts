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
 * events.
 */
const REST_MS_PER_EVENT = 30;
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

/**
 * The session's relevant events in any order, and the arrival time of the last one: late reports may still be arriving.
 */
export async function listEvents(
  db: Database,
  workspaceId: string,
  session: DueSession,
  limit: number,
): Promise<{ readonly rows: readonly SessionEventRow[]; readonly heardAt: Date | null }> {
  const found = await db.pool.query<{
    ms: string;
    event: string;
    tool_use_id: string | null;
    detail: string | null;
    received_at: Date;
  }>({
    name: "sessions_told",
    text: `SELECT round(extract(epoch FROM occurred_at) * 1000) AS ms, event, left(tool_use_id, 200) AS tool_use_id,
             left(detail, 20) AS detail, received_at
           FROM dispatch WHERE workspace_id = $1 AND session_id = $2 AND agent_id = $3
             AND occurred_at >= $4 AND occurred_at <= $5 AND event = ANY($6::text[])
           ORDER BY occurred_at LIMIT $7`,
    values: [workspaceId, session.session_id, session.agent_id, session.first_at, session.last_at, GAP_EVENTS, limit],
  });
  let heardAt: Date | null = null;
  const rows = found.rows.map(({ ms, event, tool_use_id, detail, received_at }): SessionEventRow => {
    if (heardAt === null || received_at > heardAt) heardAt = received_at;
    return { atMs: Number(ms), event, toolUseId: tool_use_id, detail };
  });
  return { rows, heardAt };
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

/** Stores the result, unless the session was removed. If two checks run at once, the one with more events wins. */
export async function upsertSeen(
  db: Database,
  workspaceId: string,
  session: DueSession,
  { gaps, checkedAt, isCut }: { gaps: Gaps; checkedAt: Date; isCut: boolean },
): Promise<void> {
  const types = ["timestamptz", "timestamptz", "bigint", "timestamptz", "boolean", ...NAMES.map(() => "integer")];
  const columns = ["first_at", "last_at", "events", "checked_at", "is_cut", ...NAMES];
  await db.pool.query({
    name: "sessions_upsert_seen",
    text: `INSERT INTO session_seen (workspace_id, agent_id, session_id, ${columns.join(", ")})
           SELECT one.workspace_id, one.agent_id, one.session_id, ${types.map((type, index) => `$${index + 4}::${type}`).join(", ")}
           FROM session one WHERE one.workspace_id = $1 AND one.agent_id = $2 AND one.session_id = $3 FOR KEY SHARE
           ON CONFLICT (workspace_id, agent_id, session_id) DO UPDATE SET
             ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
           WHERE session_seen.events <= excluded.events`,
    values: [
      workspaceId,
      session.agent_id,
      session.session_id,
      session.first_at,
      session.last_at,
      session.events,
      checkedAt,
      isCut,
      ...Object.values(COUNTS).map((name) => gaps[name]),
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
