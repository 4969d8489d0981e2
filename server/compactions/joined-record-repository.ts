/** SQL for the joined records, and for the sessions to join again. */
import type { Pool, PoolClient } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import { insertRows, type Table } from "../recording/index.ts";
import type { AttemptView, JoinedView, ListedAttemptView, Losses } from "./schema.ts";
import { measures } from "./schema.ts";
import type { SessionKey } from "./session-repository.ts";

export type WorkspaceSession = SessionKey & { readonly workspaceId: string };

export interface JoinedRecord {
  readonly workspaceId: string;
  readonly attempt: AttemptView;
  readonly joined: JoinedView;
  /** Null without a summary. */
  readonly losses: CountedLosses | null;
}

/** The counts with their source: the number of events before the attempt, and a digest of these and the summary. */
export type CountedLosses = Losses & { readonly events: number; readonly source: string };

const MEASURES = measures.keyof().options;

const table: Table<JoinedRecord> = {
  name: "compaction_record",
  columns: {
    workspace_id: ["uuid", (one) => one.workspaceId],
    occurred_at: ["timestamptz", (one) => one.attempt.occurredAt.toISOString()],
    dispatch_id: ["uuid", (one) => one.attempt.id],
    agent_id: ["uuid", (one) => one.attempt.agentId],
    agent_name: ["text", (one) => one.attempt.agentName],
    session_id: ["text", (one) => one.attempt.sessionId],
    reason: ["text", (one) => one.attempt.reason],
    state: ["text", ({ attempt: { outcome } }) => (outcome === "applied" || outcome === "vetoed" ? outcome : "open")],
    model_id: ["text", (one) => one.joined.modelId],
    tokens_before: ["int8", (one) => one.attempt.tokensBefore],
    tokens_after: ["int8", (one) => one.joined.tokensAfter],
    after_missing: ["text", (one) => one.joined.afterMissing],
    context_limit: ["int8", (one) => one.attempt.contextLimit],
    duration_ms: ["int8", (one) => one.attempt.durationMs],
    is_steered: ["bool", (one) => one.attempt.interventions.includes("steered")],
    is_replaced: ["bool", (one) => one.attempt.interventions.includes("replaced")],
    hooks_run: ["int4", (one) => one.joined.hooksRun],
    hooks_failed: ["int4", (one) => one.joined.hooksFailed],
    cost_nano: ["int8", (one) => one.joined.costNano],
    cost_state: ["text", (one) => one.joined.costState],
    secrets: ["int4", (one) => one.joined.secrets],
    secret_rules: ["text", (one) => JSON.stringify(one.joined.secretRules)],
    next_turns: ["text", (one) => one.joined.nextTurns],
    ...Object.fromEntries(
      (["before", "after"] as const).flatMap((when) =>
        MEASURES.map((name) => [`${when}_${name}`, ["int4", (one: JoinedRecord) => one.joined[when][name]] as const]),
      ),
    ),
    is_troubled: ["bool", (one) => one.joined.isTroubled],
    facts_known: ["int4", (one) => one.losses?.known ?? null],
    facts_lost: ["int4", (one) => one.losses?.lost ?? null],
    facts_events: ["int4", (one) => one.losses?.events ?? null],
    facts_source: ["text", (one) => one.losses?.source ?? null],
  },
};
const KEY = ["workspace_id", "occurred_at", "dispatch_id"];
const rest = Object.keys(table.columns).filter((name) => !KEY.includes(name));
const upsert: Table<JoinedRecord> = {
  ...table,
  tail: `ON CONFLICT (${KEY.join(", ")}) DO UPDATE SET ${rest.map((name) => `${name} = excluded.${name}`).join(", ")}`,
};

/** Replaces the records of the session's attempts that began at `since` or later with `kept`. */
export async function replaceRecords(
  client: PoolClient,
  { workspaceId, agentId, sessionId }: WorkspaceSession,
  kept: readonly JoinedRecord[],
  since: Date | null,
): Promise<void> {
  await client.query({
    name: "compaction_record_sweep",
    text: `DELETE FROM compaction_record WHERE workspace_id = $1 AND session_id = $2 AND agent_id = $3
             AND ($4::timestamptz IS NULL OR occurred_at >= $4) AND NOT dispatch_id = ANY($5::uuid[])`,
    values: [workspaceId, sessionId, agentId, since, kept.map(({ attempt }) => attempt.id)],
  });
  await insertRows((query) => client.query(query), upsert, kept);
}

/** The stored counts of the session's attempts, by the attempt's id. */
export async function listCountedLosses(
  client: PoolClient,
  { workspaceId, agentId, sessionId }: WorkspaceSession,
): Promise<Map<string, CountedLosses>> {
  const { rows } = await client.query<CountedLosses & { id: string }>({
    name: "compaction_record_losses",
    text: `SELECT dispatch_id AS id, facts_known AS known, facts_lost AS lost, facts_events AS events, facts_source AS source
           FROM compaction_record
           WHERE workspace_id = $1 AND session_id = $2 AND agent_id = $3 AND facts_source IS NOT NULL`,
    values: [workspaceId, sessionId, agentId],
  });
  return new Map(rows.map(({ id, ...counted }) => [id, counted]));
}

/** Only one node joins at a time; false when another one does. */
export async function tryJoinLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_mine: boolean }>("SELECT pg_try_advisory_xact_lock(7222) AS is_mine");
  return rows[0]?.is_mine === true;
}

const SESSION = `marked.workspace_id AS "workspaceId", marked.agent_id AS "agentId", marked.session_id AS "sessionId"`;
const WITH_COUNTS = `compaction_session marked LEFT JOIN session ON session.workspace_id = marked.workspace_id
  AND session.agent_id = marked.agent_id AND session.session_id = marked.session_id`;

/** Open sessions that have changed since their join, or have been silent for long enough to be completed. */
export async function listDueSessions(
  pool: Pool,
  quietSince: Date,
  after: WorkspaceSession | null,
  limit: number,
): Promise<WorkspaceSession[]> {
  const { rows } = await pool.query<WorkspaceSession>({
    name: "compaction_session_due",
    text: `SELECT ${SESSION} FROM ${WITH_COUNTS}
           WHERE (NOT marked.is_settled OR marked.marks <> marked.seen_marks)
             AND (marked.marks <> marked.seen_marks OR coalesce(session.events, 0) <> marked.seen_events
               OR coalesce(session.last_at, '-infinity') < $1)
             AND ($2::uuid IS NULL OR (marked.workspace_id, marked.agent_id, marked.session_id) > ($2, $3::uuid, $4::text))
           ORDER BY marked.workspace_id, marked.agent_id, marked.session_id LIMIT $5`,
    values: [quietSince, after?.workspaceId ?? null, after?.agentId ?? null, after?.sessionId ?? null, limit],
  });
  return rows;
}

/** A page of the completed sessions after the cursor: their number, the last one, and those that have changed since. */
export async function listChangedSessions(
  pool: Pool,
  after: WorkspaceSession | null,
  limit: number,
): Promise<{ last: WorkspaceSession | null; changed: WorkspaceSession[] }> {
  const { rows } = await pool.query<WorkspaceSession & { is_changed: boolean }>({
    name: "compaction_session_changed",
    text: `SELECT ${SESSION}, coalesce(session.events, 0) <> marked.seen_events AS is_changed FROM (
             SELECT * FROM compaction_session WHERE is_settled
               AND ($1::uuid IS NULL OR (workspace_id, agent_id, session_id) > ($1, $2::uuid, $3::text))
             ORDER BY workspace_id, agent_id, session_id LIMIT $4) marked
           LEFT JOIN session ON session.workspace_id = marked.workspace_id AND session.agent_id = marked.agent_id
             AND session.session_id = marked.session_id
           ORDER BY marked.workspace_id, marked.agent_id, marked.session_id`,
    values: [after?.workspaceId ?? null, after?.agentId ?? null, after?.sessionId ?? null, limit],
  });
  const isWhole = rows.length < limit;
  const changed = rows.filter((row) => row.is_changed).map(({ is_changed: _changed, ...session }) => session);
  return { last: isWhole ? null : (rows.at(-1) ?? null), changed };
}

export interface SessionMark {
  readonly marks: string;
  readonly events: string;
  readonly lastAt: Date | null;
}

/** The recorded counts of the session, to be read before the session itself; null when it is not marked. */
export async function findSessionMark(
  client: PoolClient,
  { workspaceId, agentId, sessionId }: WorkspaceSession,
): Promise<SessionMark | null> {
  const { rows } = await client.query<SessionMark>({
    name: "compaction_session_seen",
    text: `SELECT marked.marks, coalesce(session.events, 0) AS events, session.last_at AS "lastAt" FROM ${WITH_COUNTS}
           WHERE marked.workspace_id = $1 AND marked.agent_id = $2 AND marked.session_id = $3`,
    values: [workspaceId, agentId, sessionId],
  });
  return rows[0] ?? null;
}

/** Returns false when the session is no longer marked because its rows were removed. */
export async function updateSessionMark(
  client: PoolClient,
  { workspaceId, agentId, sessionId }: WorkspaceSession,
  { marks, events }: SessionMark,
  isSettled: boolean,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "compaction_session_update",
    text: `UPDATE compaction_session SET seen_marks = $4, seen_events = $5, is_settled = $6
           WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3`,
    values: [workspaceId, agentId, sessionId, marks, events, isSettled],
  });
  return rowCount === 1;
}

/** Defers a session that could not be joined: the next sweep tries again. */
export async function deferSession(pool: Pool, { workspaceId, agentId, sessionId }: WorkspaceSession): Promise<void> {
  await pool.query(
    `UPDATE compaction_session SET seen_marks = marks, seen_events = -1, is_settled = true
     WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3`,
    [workspaceId, agentId, sessionId],
  );
}

/** Removes a session whose compactions are gone, unless a new one has been marked. */
export async function deleteSessionMark(
  client: PoolClient,
  { workspaceId, agentId, sessionId }: WorkspaceSession,
  { marks }: SessionMark,
): Promise<void> {
  await client.query(
    "DELETE FROM compaction_session WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3 AND marks = $4",
    [workspaceId, agentId, sessionId, marks],
  );
}

type Brief = NonNullable<ListedAttemptView["joined"]>;

/** The part of the joined records that a list shows, by the attempt's id. */
export async function listRecordBriefs(
  pool: Pool,
  workspaceId: string,
  keys: readonly EventKey[],
): Promise<Map<string, Brief>> {
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<{
    id: string;
    model_id: string;
    tokens_after: string | null;
    after_missing: Brief["afterMissing"];
    secrets: number | null;
    is_troubled: boolean | null;
    known: number | null;
    lost: number | null;
  }>({
    name: "compaction_record_briefs",
    text: `SELECT dispatch_id AS id, model_id, tokens_after, after_missing, secrets, is_troubled,
             facts_known AS known, facts_lost AS lost
           FROM unnest($2::timestamptz[], $3::uuid[]) AS wanted (at, wanted_id)
           JOIN compaction_record ON workspace_id = $1 AND occurred_at = at AND dispatch_id = wanted_id`,
    values: [workspaceId, keys.map(({ occurredAt }) => occurredAt), keys.map(({ id }) => id)],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        modelId: row.model_id,
        tokensAfter: row.tokens_after === null ? null : BigInt(row.tokens_after),
        afterMissing: row.after_missing,
        secrets: row.secrets,
        isTroubled: row.is_troubled,
        losses: row.known === null || row.lost === null ? null : { known: row.known, lost: row.lost },
      },
    ]),
  );
}
