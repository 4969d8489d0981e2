/** SQL for the log and its metadata, in a snapshot. */

import { IS_PROJECTED_SQL } from "../projectors/index.ts";
import type { JudgedEntry } from "../recording/index.ts";
import { SHADOW_JUDGE_POSITION_MIN } from "../recording/index.ts";
import { instantSql, type Snapshot } from "./repository.ts";

export interface Span {
  readonly workspaceId: string;
  /** ISO instants; `to` is not part of it. */
  readonly from: string;
  readonly to: string;
}

export interface LogRow {
  readonly id: string;
  /** With microseconds, as derived tables date their rows. */
  readonly at: string;
  readonly received_at: Date;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly session_id: string;
  readonly event: string;
  readonly lane: string;
  readonly origin: string;
  readonly tool_name: string | null;
  readonly tool_use_id: string | null;
  readonly tool_error: boolean | null;
  readonly verdict: string;
  readonly revision: string;
  /** Null: from before facts. */
  readonly facts: string | null;
}

const LOG_SQL = `SELECT id, ${instantSql("occurred_at")} AS at, received_at, agent_id, agent_name, session_id, event, lane,
    origin, tool_name, tool_use_id, tool_error, verdict, revision, facts FROM dispatch WHERE workspace_id = $1 AND ${IS_PROJECTED_SQL("$1")}`;

/** The rows of a span in the order of their time and id. */
export const readLog = (reader: Snapshot, { workspaceId, from, to }: Span) =>
  reader.pages<LogRow>(`${LOG_SQL} AND occurred_at >= $2 AND occurred_at < $3 ORDER BY occurred_at, id`, [
    workspaceId,
    from,
    to,
  ]);

/** True for a row of the log whose batch is after a number of the chain ($4). */
export const IS_LATE = `EXISTS (SELECT FROM chain_batch WHERE chain_batch.workspace_id = dispatch.workspace_id
  AND chain_batch.batch = dispatch.batch AND chain_batch.seq > $4)`;

/** The rows of a span from behind a number of the chain. */
export const readLate = (reader: Snapshot, { workspaceId, from, to }: Span, seq: number) =>
  reader.pages<LogRow>(`${LOG_SQL} AND occurred_at >= $2 AND occurred_at < $3 AND ${IS_LATE}`, [
    workspaceId,
    from,
    to,
    seq,
  ]);

/** The rows of one session before `to`, at most `limit`. */
export const readLife = (
  reader: Snapshot,
  { workspaceId, to }: Span,
  { agentId, sessionId }: { agentId: string; sessionId: string },
  limit: number,
) =>
  reader.pages<LogRow>(
    `${LOG_SQL} AND session_id = $2 AND agent_id = $3 AND occurred_at < $4 ORDER BY occurred_at, id LIMIT $5`,
    [workspaceId, sessionId, agentId, to, limit],
  );

export interface Coverage {
  readonly agentId: string;
  readonly sessionId: string;
  readonly hasEarlier: boolean;
  readonly hasOwn: boolean;
  readonly hasLater: boolean;
}

/** The position of each session's log: before the span, in it, after it. */
export function locateSessionLogs(
  reader: Snapshot,
  { workspaceId, from, to }: Span,
  sessions: readonly { readonly agentId: string; readonly sessionId: string }[],
): Promise<Coverage[]> {
  const exists = (condition: string) => `EXISTS (SELECT FROM dispatch WHERE workspace_id = $1
    AND session_id = one.session_id AND agent_id = one.agent_id AND ${condition} AND ${IS_PROJECTED_SQL("$1")})`;
  return reader.all<Coverage>(
    `SELECT one.agent_id AS "agentId", one.session_id AS "sessionId", ${exists("occurred_at < $4")} AS "hasEarlier",
       ${exists("occurred_at >= $4 AND occurred_at < $5")} AS "hasOwn", ${exists("occurred_at >= $5")} AS "hasLater"
     FROM unnest($2::uuid[], $3::text[]) AS one (agent_id, session_id)`,
    [workspaceId, sessions.map(({ agentId }) => agentId), sessions.map(({ sessionId }) => sessionId), from, to],
  );
}

/** The instants before which data was removed; null: none was removed. */
export interface Gone {
  readonly log: string | null;
  readonly activity: string | null;
  readonly judgeCalls: string | null;
  readonly figures: string | null;
  readonly demo: string | null;
}

/** As recorded in the audit chain: rows are dropped in the same transaction as their entry. */
export async function findGone(reader: Snapshot, workspaceId: string): Promise<Gone> {
  const rows = await reader.all<{ what: string; before: string }>(
    `SELECT CASE kind WHEN 'data_dropped' THEN body::jsonb->>'data' ELSE kind END AS what,
       max(CASE kind WHEN 'demo_removed' THEN ${instantSql("at")} ELSE body::jsonb->>'before' END) AS before
     FROM audit_entry WHERE workspace_id = $1 AND kind IN ('dispatches_dropped', 'data_dropped', 'demo_removed')
     GROUP BY 1`,
    [workspaceId],
  );
  const by = new Map(rows.map(({ what, before }) => [what, before]));
  const of = (what: string) => by.get(what) ?? null;
  return {
    log: of("dispatches_dropped"),
    activity: of("activity"),
    judgeCalls: of("judge_calls"),
    figures: of("figures"),
    demo: of("demo_removed"),
  };
}

interface ObservedRow {
  readonly occurred_at: Date;
  readonly policy: string;
  readonly hook: string;
  readonly model: string;
  readonly cause: string;
  readonly pricing: JudgedEntry["judges"][number]["pricing"];
  readonly cost_nano: string | null;
  readonly input: string;
  readonly output: string;
}

/** Calls of judges that observed policies asked: part of the sums, and of no dispatch's facts. */
export async function* readObservedJudges(
  reader: Snapshot,
  { workspaceId, from, to }: Span,
): AsyncGenerator<JudgedEntry> {
  const pages = reader.pages<ObservedRow>(
    `SELECT occurred_at, policy, hook, model, cause, pricing, cost_nano,
       coalesce(input_tokens, 0) + coalesce(cached_input_tokens, 0) + coalesce(cache_write_tokens, 0) AS input,
       coalesce(output_tokens, 0) AS output
     FROM judge_call WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3 AND place >= ${SHADOW_JUDGE_POSITION_MIN}`,
    [workspaceId, from, to],
  );
  for await (const page of pages)
    for (const { occurred_at, cost_nano, input, output, ...judge } of page)
      yield {
        record: { workspaceId },
        occurredAt: occurred_at.toISOString(),
        judges: [
          {
            ...judge,
            costNano: cost_nano === null ? null : BigInt(cost_nano),
            usage: { inputTokens: Number(input), outputTokens: Number(output) },
          },
        ],
      };
}

/** UTC days, the earliest first, from the first event of the workspace's log or sums to the last. */
export async function listDays(
  reader: Snapshot,
  workspaceId: string,
  range: { readonly from: string; readonly to: string } | null,
): Promise<string[]> {
  const within = (column: string) => (range === null ? "true" : `${column} >= $2 AND ${column} < $3`);
  // One index probe a day: a log of years is listed as fast as it has days.
  const next = (table: string, column: string, after: string) =>
    `(SELECT min(${column}) FROM ${table} WHERE workspace_id = $1 AND ${column} >= ${after} AND ${within(column)})`;
  const first = (after: string) =>
    `least(${next("dispatch", "occurred_at", after)}, ${next("rollup_day", "bucket", after)})`;
  const rows = await reader.all<{ day: string }>(
    `WITH RECURSIVE days AS (
       SELECT date_trunc('day', ${first("'-infinity'")}, 'UTC') AS day
       UNION ALL
       SELECT date_trunc('day', ${first("days.day + interval '1 day'")}, 'UTC') FROM days WHERE days.day IS NOT NULL
     ) SELECT to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM days WHERE day IS NOT NULL ORDER BY 1`,
    range === null ? [workspaceId] : [workspaceId, range.from, range.to],
  );
  return rows.map((row) => row.day);
}
