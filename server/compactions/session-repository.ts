/** SQL for the records of a session around one of its compactions; every read is limited. */
import type { Pool, PoolClient } from "../platform/db.ts";
import type { EventKey } from "../recording/event-key-schema.ts";
import type { SessionEvent } from "./turns.ts";
import { WINDOW_EVENTS } from "./turns.ts";

/** A pool, or the client of a transaction. */
export type Queries = Pool | PoolClient;

/** Whose events. */
export interface SessionKey {
  readonly agentId: string;
  readonly sessionId: string;
}

const EVENT = `id, occurred_at AS "occurredAt", event, tool_name AS tool, tool_use_id AS "toolUseId",
  tool_error AS "toolError", verdict`;
const OF_SESSION = "workspace_id = $1 AND session_id = $2 AND agent_id = $3";

/** The newest `limit` of the events that windows are made of from before the key, in time order. */
export async function listSessionEventsBefore(
  db: Queries,
  workspaceId: string,
  { agentId, sessionId }: SessionKey,
  key: EventKey,
  limit: number,
): Promise<SessionEvent[]> {
  const { rows } = await db.query<SessionEvent>({
    name: "compactions_before",
    text: `SELECT ${EVENT} FROM dispatch WHERE ${OF_SESSION} AND occurred_at <= $4 AND (occurred_at, id) < ($4, $5::uuid)
             AND event = ANY($6) ORDER BY occurred_at DESC, id DESC LIMIT $7`,
    values: [workspaceId, sessionId, agentId, key.occurredAt, key.id, WINDOW_EVENTS, limit],
  });
  return rows.reverse();
}

/** The first `limit` after the key and, when there is one, before the end. */
export async function listSessionEventsAfter(
  db: Queries,
  workspaceId: string,
  { agentId, sessionId }: SessionKey,
  key: EventKey,
  end: EventKey | null,
  limit: number,
): Promise<SessionEvent[]> {
  const { rows } = await db.query<SessionEvent>({
    name: "compactions_after",
    text: `SELECT ${EVENT} FROM dispatch WHERE ${OF_SESSION} AND occurred_at >= $4 AND (occurred_at, id) > ($4, $5::uuid)
             AND ($6::timestamptz IS NULL OR (occurred_at, id) < ($6, $7::uuid)) AND event = ANY($8)
           ORDER BY occurred_at, id LIMIT $9`,
    values: [
      workspaceId,
      sessionId,
      agentId,
      key.occurredAt,
      key.id,
      end?.occurredAt ?? null,
      end?.id ?? null,
      WINDOW_EVENTS,
      limit,
    ],
  });
  return rows;
}

/** The stored inputs of these events by id; null for one that is longer than `bytesMax`. */
export async function listStoredInputs(
  db: Queries,
  workspaceId: string,
  keys: readonly EventKey[],
  bytesMax: number,
): Promise<Map<string, string | null>> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; input: string | null }>({
    name: "compactions_inputs",
    text: `SELECT id, CASE WHEN octet_length(input) <= $4 THEN input END AS input
           FROM unnest($2::timestamptz[], $3::uuid[]) AS wanted (at, wanted_id)
           JOIN dispatch ON occurred_at = at AND id = wanted_id AND workspace_id = $1`,
    values: [workspaceId, keys.map(({ occurredAt }) => occurredAt), keys.map(({ id }) => id), bytesMax],
  });
  return new Map(rows.map(({ id, input }) => [id, input]));
}

export interface NearbyCalls {
  readonly model_before: string | null;
  readonly model_after: string | null;
  /** True if there is a next call, and true if that call reported its usage. */
  readonly has_next: boolean;
  readonly has_usage: boolean | null;
  readonly tokens_after: string | null;
  /** Model calls while it was under way. */
  readonly calls: number;
  readonly calls_unpriced: number;
  readonly cost_nano: string | null;
}

/** The model calls before, within and after an attempt. */
export async function findNearbyCalls(
  db: Queries,
  workspaceId: string,
  { agentId, sessionId }: SessionKey,
  start: EventKey,
  last: EventKey,
  end: EventKey | null,
): Promise<NearbyCalls> {
  const { rows } = await db.query<NearbyCalls>({
    name: "compactions_calls",
    text: `SELECT before.model_id AS model_before, next.model_id AS model_after, next.model_id IS NOT NULL AS has_next,
             next.has_usage, next.tokens AS tokens_after, own.calls, own.calls_unpriced, own.cost_nano
           FROM (SELECT count(*)::int AS calls, count(*) FILTER (WHERE cost_nano IS NULL)::int AS calls_unpriced,
                   sum(cost_nano)::bigint AS cost_nano
                 FROM llm_call WHERE ${OF_SESSION} AND occurred_at >= $4 AND occurred_at <= $6
                   AND (occurred_at, dispatch_id) > ($4, $5::uuid) AND (occurred_at, dispatch_id) < ($6, $7::uuid)) AS own
           LEFT JOIN (SELECT model_id FROM llm_call WHERE ${OF_SESSION} AND occurred_at <= $4
                        AND (occurred_at, dispatch_id) < ($4, $5::uuid)
                      ORDER BY occurred_at DESC, dispatch_id DESC LIMIT 1) AS before ON true
           LEFT JOIN (SELECT model_id, has_usage,
                        coalesce(input_tokens, 0) + coalesce(cached_input_tokens, 0) + coalesce(cached_write_tokens, 0)
                          AS tokens
                      FROM llm_call WHERE ${OF_SESSION} AND occurred_at >= $6
                        AND (occurred_at, dispatch_id) > ($6, $7::uuid)
                        AND ($8::timestamptz IS NULL OR (occurred_at, dispatch_id) < ($8, $9::uuid))
                      ORDER BY occurred_at, dispatch_id LIMIT 1) AS next ON true`,
    values: [
      workspaceId,
      sessionId,
      agentId,
      start.occurredAt,
      start.id,
      last.occurredAt,
      last.id,
      end?.occurredAt ?? null,
      end?.id ?? null,
    ],
  });
  const [found] = rows;
  if (!found) throw new Error("a query without a row");
  return found;
}

export interface AttemptExtras {
  readonly hooks: string;
  readonly summary: string | null;
  readonly secrets: string | null;
  /** Markers in the stored summary, for summaries whose markers were not counted. */
  readonly marks: number | null;
}

/** The hooks, the summary and its secrets for each event of an attempt. */
export async function listAttemptExtras(
  db: Queries,
  workspaceId: string,
  keys: readonly EventKey[],
): Promise<AttemptExtras[]> {
  const { rows } = await db.query<AttemptExtras>({
    name: "compactions_extras",
    text: `SELECT dispatch.hooks, one.summary, one.secrets,
             (length(one.summary) - length(replace(one.summary, '[REDACTED]', ''))) / 10 AS marks
           FROM unnest($2::timestamptz[], $3::uuid[]) AS wanted (at, wanted_id)
           JOIN compaction one ON one.workspace_id = $1 AND one.occurred_at = at AND one.dispatch_id = wanted_id
           LEFT JOIN dispatch ON dispatch.occurred_at = at AND dispatch.id = wanted_id AND dispatch.workspace_id = $1
           ORDER BY at, wanted_id`,
    values: [workspaceId, keys.map(({ occurredAt }) => occurredAt), keys.map(({ id }) => id)],
  });
  return rows;
}
