/** The records that an exception's effect is counted over. */
import type { Pool } from "../platform/db.ts";
import type { JudgedByRules } from "./find-rules.ts";

export interface PastRequest extends Pick<JudgedByRules, "askedBy" | "askedAt"> {
  readonly agentId: string;
  readonly sessionId: string;
  readonly state: string;
  readonly risk: string;
  readonly peopleNeeded: number;
  /** Null when it is longer than `bytesMax`. */
  readonly input: string | null;
  readonly isWhole: boolean;
  readonly inputSha256: Buffer;
}

/** The newest requests of a tool in the last seven days. */
export async function listPastRequests(
  pool: Pool,
  workspaceId: string,
  toolName: string,
  { limit, bytesMax }: { readonly limit: number; readonly bytesMax: number },
): Promise<readonly PastRequest[]> {
  const { rows } = await pool.query<PastRequest>({
    name: "exceptions_past_requests",
    text: `SELECT agent_id AS "agentId", session_id AS "sessionId", state, risk, people_needed AS "peopleNeeded",
        CASE WHEN octet_length(input) <= $4 THEN input END AS input, is_whole AS "isWhole", input_sha256 AS "inputSha256",
        asked_by AS "askedBy", asked_at AS "askedAt"
      FROM approval_request WHERE workspace_id = $1 AND tool_name = $2 AND asked_at > now() - interval '7 days'
      ORDER BY asked_at DESC LIMIT $3`,
    values: [workspaceId, toolName, limit, bytesMax],
  });
  return rows;
}

/** A rule as the record of outcomes names it: equal ones of several events are one here. */
export interface OutcomeRule {
  readonly policy: string;
  readonly hook: string;
}

export interface PastOutcome {
  readonly occurredAt: Date;
  readonly id: string;
  readonly toolName: string | null;
  readonly outcome: string;
}

/**
 * The newest outcomes of these rules in the last seven days, for any tool: by index only, so that every rule takes the
 * same time.
 */
export async function listPastOutcomes(
  pool: Pool,
  workspaceId: string,
  rules: readonly OutcomeRule[],
  limit: number,
): Promise<readonly PastOutcome[]> {
  const { rows } = await pool.query<PastOutcome>({
    name: "exceptions_past_outcomes",
    text: `SELECT newest.occurred_at AS "occurredAt", newest.dispatch_id AS id, newest.tool_name AS "toolName", newest.outcome
      FROM unnest($2::text[], $3::text[]) AS rule (policy, hook) CROSS JOIN LATERAL (
        SELECT occurred_at, dispatch_id, tool_name, outcome FROM hook_outcome
        WHERE workspace_id = $1 AND policy = rule.policy AND hook = rule.hook AND occurred_at > now() - interval '7 days'
        ORDER BY occurred_at DESC, dispatch_id DESC, place DESC LIMIT $4
      ) AS newest ORDER BY 1 DESC, 2 DESC LIMIT $4`,
    values: [workspaceId, rules.map(({ policy }) => policy), rules.map(({ hook }) => hook), limit],
  });
  return rows;
}

export interface PastCall {
  readonly occurredAt: Date;
  readonly id: string;
  readonly receivedAt: Date;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly toolUseId: string | null;
  readonly event: string;
  readonly verdict: string;
  /** Null when it is longer than `bytesMax`. */
  readonly input: string | null;
  readonly hooks: string;
  /** Masked as it is stored; null where it is no decision. */
  readonly excerpt: string | null;
}

/** The calls with these keys that were judged here, the newest first. */
export async function listPastCalls(
  pool: Pool,
  workspaceId: string,
  keys: readonly Pick<PastOutcome, "occurredAt" | "id">[],
  bytesMax: number,
): Promise<readonly PastCall[]> {
  const { rows } = await pool.query<PastCall>({
    name: "exceptions_past_calls",
    text: `SELECT dispatch.occurred_at AS "occurredAt", dispatch.id, dispatch.received_at AS "receivedAt", dispatch.agent_id AS "agentId",
        dispatch.agent_name AS "agentName", dispatch.session_id AS "sessionId", dispatch.tool_use_id AS "toolUseId", dispatch.event,
        dispatch.verdict, CASE WHEN octet_length(dispatch.input) <= $4 THEN dispatch.input END AS input, dispatch.hooks, decision.excerpt
      FROM unnest($2::timestamptz[], $3::uuid[]) AS wanted (occurred_at, id)
      JOIN dispatch ON dispatch.workspace_id = $1 AND dispatch.occurred_at = wanted.occurred_at AND dispatch.id = wanted.id
        AND dispatch.origin = 'dispatch'
      LEFT JOIN tool_decision AS decision
        ON decision.workspace_id = $1 AND decision.occurred_at = wanted.occurred_at AND decision.dispatch_id = wanted.id
      ORDER BY dispatch.occurred_at DESC, dispatch.id DESC`,
    values: [workspaceId, keys.map(({ occurredAt }) => occurredAt), keys.map(({ id }) => id), bytesMax],
  });
  return rows;
}
