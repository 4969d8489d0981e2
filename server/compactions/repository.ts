import { type Database, type Pool, type PoolClient, transaction } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import { isOfAgentsSql } from "../recording/index.ts";
import type { CompactionRow } from "./attempts.ts";

export { transaction };

const row = (
  withTexts: boolean,
) => `one.dispatch_id, one.occurred_at, one.agent_id, one.agent_name, one.session_id, one.event, one.reason,
  one.input_tokens, one.output_tokens, one.context_limit, one.effect, one.summary_bytes,
  ${withTexts ? "left(one.effect_text, 2000)" : "''"} AS effect_text, ${withTexts ? "left(one.summary, 400)" : "NULL"} AS summary_start`;
const RANK = (row: string) =>
  `array_position(ARRAY['pre_compact', 'before_compaction', 'after_compaction'], ${row}.event)`;
/** True if `one` begins an attempt, by the rule in attempts.ts. */
const IS_START = `NOT EXISTS (
  SELECT 1 FROM (
    SELECT before.event, before.effect FROM compaction before
    WHERE before.workspace_id = one.workspace_id AND before.session_id = one.session_id AND before.agent_id = one.agent_id
      AND before.occurred_at <= one.occurred_at
      AND (before.occurred_at, before.dispatch_id) < (one.occurred_at, one.dispatch_id)
    ORDER BY before.occurred_at DESC, before.dispatch_id DESC LIMIT 1
  ) AS before WHERE ${RANK("before")} < ${RANK("one")} AND before.effect <> 'vetoed')`;
/** The query for the rows from each start on in its session: an attempt has at most one row of each event. */
const following = (withTexts: boolean) => `
  SELECT start.at, ${row(withTexts)} FROM starts start CROSS JOIN LATERAL (
    SELECT * FROM compaction next
    WHERE next.workspace_id = $1 AND next.session_id = start.session_id AND next.agent_id = start.agent_id
      AND next.occurred_at >= start.occurred_at
      AND (next.occurred_at, next.dispatch_id) >= (start.occurred_at, start.dispatch_id)
    ORDER BY next.occurred_at, next.dispatch_id LIMIT 3) one
  ORDER BY start.at, one.occurred_at, one.dispatch_id`;

export type FollowingRow = CompactionRow & { readonly at: string };

/** The newest `limit` attempts that began in the range and before the cursor: each with its rows. */
export async function listAttemptRows(
  db: Database,
  workspaceId: string,
  range: { from: Date; to: Date },
  { cursor, agents, sessions, models = [], after = [], lost = [], limit, withTexts }: AttemptFilter,
): Promise<readonly FollowingRow[]> {
  const found = await db.pool.query<FollowingRow>({
    name: withTexts ? "compactions_starts" : "compactions_figures",
    text: `WITH starts AS MATERIALIZED (
             SELECT row_number() OVER (ORDER BY occurred_at DESC, dispatch_id DESC) AS at, newest.* FROM (
               SELECT one.agent_id, one.session_id, one.occurred_at, one.dispatch_id FROM compaction one
               WHERE one.workspace_id = $1 AND one.occurred_at >= $2 AND one.occurred_at < $3
                 AND ($4::timestamptz IS NULL OR (one.occurred_at, one.dispatch_id) < ($4, $5::uuid))
                 AND ($6::text[] IS NULL OR ${isOfAgentsSql("one", "$6")})
                 AND ($7::text[] IS NULL OR one.session_id = ANY($7)) AND ${IS_START}
                 AND ($9::text[] IS NULL AND $10::text[] IS NULL AND $11::text[] IS NULL OR EXISTS (
                   SELECT FROM compaction_record joined
                   WHERE joined.workspace_id = one.workspace_id AND joined.occurred_at = one.occurred_at
                     AND joined.dispatch_id = one.dispatch_id AND ($9 IS NULL OR joined.model_id = ANY($9))
                     AND ($10 IS NULL OR CASE joined.is_troubled WHEN true THEN 'trouble' WHEN false THEN 'calm'
                       ELSE 'unknown' END = ANY($10))
                     AND ($11 IS NULL OR CASE WHEN joined.facts_lost > 0 THEN 'some' WHEN joined.facts_lost = 0 THEN 'none'
                       ELSE 'unknown' END = ANY($11))))
               ORDER BY one.occurred_at DESC, one.dispatch_id DESC LIMIT $8
             ) AS newest
           ) ${following(withTexts)}`,
    values: [
      workspaceId,
      range.from,
      range.to,
      cursor?.occurredAt ?? null,
      cursor?.id ?? null,
      agents.length > 0 ? agents : null,
      sessions.length > 0 ? sessions : null,
      limit,
      models.length > 0 ? models : null,
      after.length > 0 ? after : null,
      lost.length > 0 ? lost : null,
    ],
  });
  return found.rows;
}

export interface AttemptFilter {
  readonly cursor: EventKey | null;
  readonly agents: readonly string[];
  readonly sessions: readonly string[];
  /** Filters on the joined record. */
  readonly models?: readonly string[];
  readonly after?: readonly string[];
  readonly lost?: readonly string[];
  readonly limit: number;
  /** False for figures, which do not need the texts, the largest part of the rows. */
  readonly withTexts: boolean;
}

/** Every compaction event of the session of the key's event, in time order; empty when there is no such event. */
export async function listSessionRowsByEvent(
  db: Database,
  workspaceId: string,
  key: EventKey,
  limit: number,
): Promise<readonly CompactionRow[]> {
  const found = await db.pool.query<CompactionRow>({
    name: "compactions_of_session",
    text: `SELECT * FROM (
             SELECT ${row(true)} FROM compaction wanted
             JOIN compaction one ON one.workspace_id = wanted.workspace_id AND one.session_id = wanted.session_id
               AND one.agent_id = wanted.agent_id
             WHERE wanted.workspace_id = $1 AND wanted.occurred_at = $2 AND wanted.dispatch_id = $3
             ORDER BY one.occurred_at DESC, one.dispatch_id DESC LIMIT $4
           ) AS newest ORDER BY occurred_at, dispatch_id`,
    values: [workspaceId, key.occurredAt, key.id, limit],
  });
  return found.rows;
}

/** The newest `limit` compaction events of a session in time order, without their texts. */
export async function listSessionRows(
  db: Pool | PoolClient,
  workspaceId: string,
  { agentId, sessionId }: { readonly agentId: string; readonly sessionId: string },
  limit: number,
): Promise<readonly CompactionRow[]> {
  const found = await db.query<CompactionRow>({
    name: "compactions_rows",
    text: `SELECT ${row(false)} FROM compaction one
           WHERE one.workspace_id = $1 AND one.session_id = $2 AND one.agent_id = $3
           ORDER BY one.occurred_at DESC, one.dispatch_id DESC LIMIT $4`,
    values: [workspaceId, sessionId, agentId, limit],
  });
  return found.rows.reverse();
}

export interface StepRow {
  readonly dispatch_id: string;
  readonly occurred_at: Date;
  readonly event: string;
  readonly effect: string;
  readonly effect_text: string;
  readonly summary: string | null;
  readonly origin: string;
  readonly revision: string;
  readonly duration_us: number;
  readonly hooks: string;
  readonly input: string;
  readonly answer: string;
}

/** The dispatches behind an attempt's events, whole. */
export async function listAttemptSteps(
  db: Database,
  workspaceId: string,
  keys: readonly EventKey[],
): Promise<readonly StepRow[]> {
  const found = await db.pool.query<StepRow>({
    name: "compactions_steps",
    text: `SELECT one.dispatch_id, one.occurred_at, one.event, one.effect, one.effect_text, one.summary,
             dispatch.origin, dispatch.revision, dispatch.duration_us, dispatch.hooks, dispatch.input, dispatch.answer
           FROM unnest($2::timestamptz[], $3::uuid[]) AS wanted (occurred_at, id)
           JOIN compaction one ON one.workspace_id = $1 AND one.occurred_at = wanted.occurred_at
             AND one.dispatch_id = wanted.id
           JOIN dispatch ON dispatch.occurred_at = wanted.occurred_at AND dispatch.id = wanted.id
             AND dispatch.workspace_id = $1
           ORDER BY one.occurred_at, one.dispatch_id`,
    values: [workspaceId, keys.map((key) => key.occurredAt), keys.map((key) => key.id)],
  });
  return found.rows;
}
