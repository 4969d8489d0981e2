import type { Database } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import { WORDED_EVENTS } from "./event-summary.ts";
import { CONTROL_EVENTS } from "./routes.ts";
import { type EventKind, eventKind, eventsOf } from "./schema.ts";

/** The sessions and events that a timeline shows. */
export interface Shown {
  readonly agentId: string;
  /** Every session of the tree. Their first and last events limit the rows of `dispatch` that are read. */
  readonly sessions: readonly string[];
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly kinds: readonly EventKind[];
  readonly folded: readonly string[];
  /** The first events of sub-sessions, which are shown despite folds and filters. */
  readonly openings: readonly string[];
}

type Put = (value: unknown) => string;

/** The condition on `one`, a row of dispatch. The months are pruned by the two instants. */
function shownSql({ agentId, sessions, firstAt, lastAt, kinds, folded, openings }: Shown, put: Put): string {
  const isAll = kinds.length === 0 || kinds.length === eventKind.options.length;
  const others = eventKind.options.filter((kind) => !kinds.includes(kind));
  const kept = [
    ...(folded.length > 0 ? [`one.session_id <> ALL(${put(folded)}::text[])`] : []),
    ...(isAll
      ? []
      : kinds.includes("other")
        ? [`one.event <> ALL(${put(eventsOf(others))}::text[])`]
        : [`one.event = ANY(${put(eventsOf(kinds))}::text[])`]),
  ];
  const passes = kept.length === 0 ? "true" : `(${kept.join(" AND ")} OR one.id = ANY(${put(openings)}::uuid[]))`;
  return `one.workspace_id = $1 AND one.session_id = ANY(${put(sessions)}::text[]) AND one.agent_id = ${put(agentId)}
    AND one.occurred_at >= ${put(firstAt)} AND one.occurred_at <= ${put(lastAt)} AND ${passes}`;
}

function parameters(workspaceId: string): { values: unknown[]; put: Put } {
  const values: unknown[] = [workspaceId];
  return { values, put: (value) => `$${values.push(value)}` };
}

export interface OutlineRow {
  readonly what: "page" | "slot" | "total" | "denial" | "error" | "compaction";
  readonly at: string;
  readonly occurred_at: Date | null;
  readonly id: string | null;
  readonly slot: number | null;
  readonly tool: string | null;
  readonly n: string | null;
}

/**
 * One pass over a timeline: the page boundaries, the marks, and the distribution over time. A call that a gate denied
 * and whose end was reported counts as one denial, at its end.
 */
export async function listOutline(
  db: Database,
  workspaceId: string,
  shown: Shown,
  limits: { rowsMax: number; pageRows: number; marksMax: number; slotMs: number },
): Promise<readonly OutlineRow[]> {
  const { values, put } = parameters(workspaceId);
  const where = shownSql(shown, put);
  const [sessions, first, last] = [put(shown.sessions), put(shown.firstAt), put(shown.lastAt)];
  const found = await db.pool.query<OutlineRow>(
    `WITH denied AS MATERIALIZED (
       SELECT dispatch_id FROM (
         SELECT dispatch_id, kind, bool_or(kind = 'final') OVER (PARTITION BY session_id, tool_use_id) AS has_final, tool_use_id
         FROM tool_decision WHERE workspace_id = $1 AND session_id = ANY(${sessions}::text[])
           AND occurred_at >= ${first} AND occurred_at <= ${last} AND verdict = 'deny'
       ) AS decided WHERE kind = 'final' OR NOT has_final OR tool_use_id IS NULL
     ), line AS MATERIALIZED (
       SELECT row_number() OVER (ORDER BY one.occurred_at, one.id) - 1 AS at, one.occurred_at, one.id,
         left(one.tool_name, 60) AS tool,
         CASE WHEN (one.verdict = 'deny' AND one.tool_name IS NULL) OR one.id IN (SELECT dispatch_id FROM denied) THEN 'denial'
           WHEN one.event = 'on_error' OR (one.event = 'post_tool_use' AND one.tool_error) THEN 'error'
           WHEN one.event = 'after_compaction' THEN 'compaction' END AS mark
       FROM dispatch one WHERE ${where} ORDER BY one.occurred_at, one.id LIMIT ${put(limits.rowsMax + 1)}
     )
     SELECT 'page' AS what, at, occurred_at, id, NULL::int AS slot, NULL::bigint AS n, NULL::text AS tool FROM line WHERE at % ${put(limits.pageRows)} = 0
     UNION ALL (SELECT mark, at, occurred_at, NULL, NULL, NULL, tool FROM line WHERE mark IS NOT NULL ORDER BY at LIMIT ${put(limits.marksMax)})
     UNION ALL SELECT 'slot', min(at), NULL, NULL, slot, count(*), NULL FROM (
       SELECT at, floor(extract(epoch FROM occurred_at - ${first}::timestamptz) * 1000 / ${put(limits.slotMs)})::int AS slot FROM line
     ) AS spread GROUP BY slot
     UNION ALL SELECT 'total', count(*), NULL, NULL, NULL, NULL, NULL FROM line`,
    values,
  );
  return found.rows;
}

export interface EventRow {
  readonly occurred_at: Date;
  readonly id: string;
  readonly session_id: string;
  readonly event: string;
  readonly agent_name: string;
  readonly origin: string;
  readonly tool_name: string | null;
  readonly tool_use_id: string | null;
  readonly tool_error: boolean | null;
  readonly detail: string | null;
  readonly verdict: string;
  readonly duration_us: number;
  readonly has_hooks: boolean;
  /** The beginning of its input, if its summary line uses it. */
  readonly said: string | null;
  /** The beginnings of the answer and the hooks of a control event. */
  readonly answer: string | null;
  readonly hooks: string | null;
}

/** The rows of [from, to) without their inputs, except the beginnings of messages. */
export async function listRows(
  db: Database,
  workspaceId: string,
  shown: Shown,
  { from, to, limit }: { from: EventKey; to: EventKey | null; limit: number },
): Promise<readonly EventRow[]> {
  const { values, put } = parameters(workspaceId);
  const bounds = { ...shown, firstAt: from.occurredAt, lastAt: to?.occurredAt ?? shown.lastAt };
  const where = shownSql(bounds, put);
  const before = to ? `AND (one.occurred_at, one.id) < (${put(to.occurredAt)}::timestamptz, ${put(to.id)}::uuid)` : "";
  const found = await db.pool.query<EventRow>(
    `SELECT one.occurred_at, one.id, one.session_id, one.event, one.agent_name, one.origin, left(one.tool_name, 200) AS tool_name,
       one.tool_use_id, one.tool_error, left(one.detail, 400) AS detail, one.verdict, one.duration_us,
       octet_length(one.hooks) > 2 AS has_hooks,
       CASE WHEN one.event = ANY(${put(WORDED_EVENTS)}::text[]) THEN left(one.input, 4000) END AS said,
       CASE WHEN one.event = ANY(${put(CONTROL_EVENTS)}::text[]) THEN left(one.answer, 16384) END AS answer,
       CASE WHEN one.event = ANY(${put(CONTROL_EVENTS)}::text[]) THEN left(one.hooks, 65536) END AS hooks
     FROM dispatch one WHERE ${where}
       AND (one.occurred_at, one.id) >= (${put(from.occurredAt)}::timestamptz, ${put(from.id)}::uuid) ${before}
     ORDER BY one.occurred_at, one.id LIMIT ${put(limit)}`,
    values,
  );
  return found.rows;
}

export interface TreeRange {
  readonly agentId: string;
  readonly sessions: readonly string[];
  readonly from: EventKey;
  readonly to: EventKey | null;
  readonly lastAt: Date;
}

/** The bounds of [from, to) over `one`, a row of a table that names its dispatch. */
function rangeSql({ agentId, sessions, from, to, lastAt }: TreeRange, put: Put): string {
  const before = to
    ? `AND (one.occurred_at, one.dispatch_id) < (${put(to.occurredAt)}::timestamptz, ${put(to.id)}::uuid)`
    : "";
  return `one.workspace_id = $1 AND one.session_id = ANY(${put(sessions)}::text[]) AND one.agent_id = ${put(agentId)}
    AND one.occurred_at >= ${put(from.occurredAt)} AND one.occurred_at <= ${put(to?.occurredAt ?? lastAt)}
    AND (one.occurred_at, one.dispatch_id) >= (${put(from.occurredAt)}::timestamptz, ${put(from.id)}::uuid) ${before}`;
}

export interface PaidRow {
  readonly occurred_at: Date;
  readonly dispatch_id: string;
  readonly model_id: string;
  readonly cost_nano: string | null;
}

/** The model calls of the range, in order. */
export async function listCalls(db: Database, workspaceId: string, range: TreeRange): Promise<readonly PaidRow[]> {
  const { values, put } = parameters(workspaceId);
  const found = await db.pool.query<PaidRow>(
    `SELECT one.occurred_at, one.dispatch_id, one.model_id, CASE WHEN one.cost_usd IS NULL THEN NULL ELSE one.cost_nano END AS cost_nano
     FROM llm_call one WHERE ${rangeSql(range, put)} ORDER BY one.occurred_at, one.dispatch_id`,
    values,
  );
  return found.rows;
}

/** The sum that the tree had spent before `key`, and the number of calls that it does not cover. */
export async function findSpentBefore(
  db: Database,
  workspaceId: string,
  { agentId, sessions, firstAt }: Shown,
  key: EventKey,
): Promise<{ readonly nano: string; readonly unpriced: string }> {
  const found = await db.pool.query<{ nano: string; unpriced: string }>({
    name: "sessions_spent_before",
    text: `SELECT coalesce(sum(one.cost_nano), 0) AS nano, count(*) FILTER (WHERE one.cost_usd IS NULL) AS unpriced
           FROM llm_call one WHERE one.workspace_id = $1 AND one.session_id = ANY($2::text[]) AND one.agent_id = $3
             AND one.occurred_at >= $4 AND one.occurred_at <= $5
             AND (one.occurred_at, one.dispatch_id) < ($5::timestamptz, $6::uuid)`,
    values: [workspaceId, sessions, agentId, firstAt, key.occurredAt, key.id],
  });
  return found.rows[0] ?? { nano: "0", unpriced: "0" };
}

export interface DecidedRow {
  readonly dispatch_id: string;
  readonly tool_use_id: string | null;
  readonly kind: string;
  readonly verdict: string;
  readonly source: string;
  readonly reason: string;
  readonly excerpt: string;
}

/** The decisions over tool calls in the range. */
export async function listDecisions(
  db: Database,
  workspaceId: string,
  range: TreeRange,
): Promise<readonly DecidedRow[]> {
  const { values, put } = parameters(workspaceId);
  const found = await db.pool.query<DecidedRow>(
    `SELECT one.dispatch_id, one.tool_use_id, one.kind, one.verdict, one.source, left(one.reason, 300) AS reason, one.excerpt
     FROM tool_decision one WHERE ${rangeSql(range, put)}`,
    values,
  );
  return found.rows;
}

export interface CompactedRow {
  readonly dispatch_id: string;
  readonly reason: string;
  readonly effect: string;
}

export async function listCompactions(
  db: Database,
  workspaceId: string,
  range: TreeRange,
): Promise<readonly CompactedRow[]> {
  const { values, put } = parameters(workspaceId);
  const found = await db.pool.query<CompactedRow>(
    `SELECT one.dispatch_id, one.reason, one.effect FROM compaction one WHERE ${rangeSql(range, put)}`,
    values,
  );
  return found.rows;
}

export interface WholeRow {
  readonly occurred_at: Date;
  readonly id: string;
  readonly agent_id: string;
  readonly session_id: string;
  readonly agent_name: string;
  readonly event: string;
  readonly lane: string;
  readonly origin: string;
  readonly received_at: Date;
  readonly tool_use_id: string | null;
  readonly tool_name: string | null;
  readonly verdict: string;
  readonly revision: string;
  readonly duration_us: number;
  readonly hooks: string;
  readonly input: string;
  readonly answer: string;
  readonly is_decision: boolean;
}

/** One event, whole. */
export async function findEvent(
  db: Database,
  workspaceId: string,
  { occurredAt, id }: EventKey,
  charactersMax: number,
): Promise<WholeRow | null> {
  const found = await db.pool.query<WholeRow>({
    name: "sessions_event",
    text: `SELECT occurred_at, id, agent_id, session_id, agent_name, event, lane, origin, received_at, tool_use_id, tool_name,
             verdict, revision, duration_us, hooks, left(input, $4) AS input, left(answer, $4) AS answer,
             EXISTS (SELECT FROM tool_decision WHERE tool_decision.workspace_id = $1
               AND tool_decision.occurred_at = $2 AND tool_decision.dispatch_id = $3) AS is_decision
           FROM dispatch WHERE workspace_id = $1 AND occurred_at = $2 AND id = $3`,
    values: [workspaceId, occurredAt, id, charactersMax],
  });
  return found.rows[0] ?? null;
}
