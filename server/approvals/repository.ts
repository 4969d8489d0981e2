/** SQL of a gateway while an agent waits. Each transaction is short and never waits for an answer. */
import type { CallPrincipal } from "../access/principal-schema.ts";
import { type Pool, type PoolClient, transaction } from "../platform/db.ts";
import type { ApprovalState } from "./approval-state-schema.ts";
import { isOver } from "./leases-repository.ts";
import type { ApprovalNeeds } from "./risk-class.ts";
import type { AskingHook } from "./schema.ts";

/** One transaction of a gateway or of the jobs. */
export const inTransaction: typeof transaction = (pool, work) => transaction(pool, work);

export interface NewRequest {
  readonly id: string;
  readonly isWaiting: boolean;
  readonly agentId: string;
  readonly agentName: string;
  /** The person or service that the call was made for; null: unknown. */
  readonly principal: Pick<CallPrincipal, "id" | "certainty"> | null;
  readonly sessionId: string;
  readonly toolName: string;
  readonly callId: string;
  readonly inputSha256: Buffer;
  readonly input: string;
  readonly isWhole: boolean;
  readonly cwd: string;
  readonly reason: string;
  readonly askedBy: readonly AskingHook[];
  readonly risk: string;
  readonly peopleNeeded: number;
  /** Milliseconds until it lapses. */
  readonly forMs: number;
}

/** A request with its needs by the rules of the workspace. */
export type RatedRequest = Omit<NewRequest, "peopleNeeded"> & ApprovalNeeds;

/** The answer to a call, as its gateway needs it. */
export interface Settlement {
  readonly id: string;
  readonly number: number;
  readonly state: ApprovalState;
  readonly words: string;
  readonly editedInput: string | null;
  /** Those who answered as the state says. */
  readonly people: readonly string[];
}

export const SETTLEMENT = `request.id, request.number::float8 AS number, request.state, request.words, request.edited_input AS "editedInput",
  ARRAY(SELECT answer.person_name FROM approval_answer AS answer WHERE answer.workspace_id = request.workspace_id
    AND answer.request_id = request.id AND answer.is_allow = (request.state = 'approved') ORDER BY answer.answered_at) AS people`;

/**
 * Locks the workspace's requests until the transaction ends, so that the same call through two gateways makes one
 * request.
 */
export async function lockRequests(client: PoolClient, workspaceId: string): Promise<void> {
  await client.query({
    name: "approval_lock",
    text: "SELECT pg_advisory_xact_lock(hashtext('approval_request'), hashtext($1))",
    values: [workspaceId],
  });
}

/** A pending request of this very call, waiting or not. */
const LIKE_CALL = `workspace_id = $1 AND agent_id = $2 AND session_id = $3 AND tool_name = $4 AND input_sha256 = $5
  AND state = 'pending' AND (NOT is_waiting OR call_id = $6)`;
const likeCall = (
  workspaceId: string,
  { agentId, sessionId, toolName, inputSha256, callId }: Omit<NewRequest, "peopleNeeded">,
) => [workspaceId, agentId, sessionId, toolName, inputSha256, callId] as const;

export const rankOf = (risk: string): string => `array_position(ARRAY['low', 'medium', 'high', 'critical'], ${risk})`;
const GRAVER = `${rankOf("$9::text")} > ${rankOf("risk_class")}`;
const needsIn = ({ peopleNeeded, needsConfirmation, riskClass, route, routeMs }: RatedRequest) =>
  [peopleNeeded, needsConfirmation, riskClass, route === null ? null : JSON.stringify(route), routeMs] as const;

/** Closes requests of this call that can no longer be answered: they would block a new one. */
export async function lapseLike(
  client: PoolClient,
  workspaceId: string,
  request: RatedRequest,
): Promise<readonly LapsedRow[]> {
  const { rows } = await client.query<LapsedRow>({
    name: "approval_lapse_like",
    text: `UPDATE approval_request SET state = 'lapsed', closed_at = clock_timestamp(), lease_until = NULL
      WHERE ${LIKE_CALL} AND ${isOver("approval_request", "now()")}
      RETURNING workspace_id AS "workspaceId", id, number::float8 AS number`,
    values: [...likeCall(workspaceId, request)],
  });
  return rows;
}

/** Raises the needs of this call's requests to those of this gate: the gravest gate counts. */
export async function raiseNeeds(client: PoolClient, workspaceId: string, request: RatedRequest): Promise<void> {
  await client.query({
    name: "approval_raise_needs",
    text: `UPDATE approval_request SET people_needed = greatest(people_needed, $7), needs_confirmation = needs_confirmation OR $8,
        risk_class = CASE WHEN ${GRAVER} THEN $9 ELSE risk_class END, route = CASE WHEN ${GRAVER} THEN $10::jsonb ELSE route END,
        expires_at = CASE WHEN ${GRAVER} THEN least(expires_at, asked_at + $11::float8 * interval '1 millisecond') ELSE expires_at END
      WHERE ${LIKE_CALL} AND (people_needed < $7 OR ${GRAVER})`,
    values: [...likeCall(workspaceId, request), ...needsIn(request)],
  });
}

/**
 * Returns the pending request that this call joins; null when there is no match. Uses the transaction's time, like
 * `lapseLike`.
 */
export async function findPending(
  client: PoolClient,
  workspaceId: string,
  { agentId, sessionId, toolName, inputSha256, callId, isWaiting }: RatedRequest,
): Promise<{ readonly id: string; readonly number: number } | null> {
  const { rows } = await client.query<{ id: string; number: number }>({
    name: "approval_find_pending",
    text: `SELECT id, number::float8 AS number FROM approval_request WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3
        AND tool_name = $4 AND input_sha256 = $5 AND state = 'pending' AND is_waiting = $7 AND (NOT $7 OR call_id = $6)
        AND NOT ${isOver("approval_request", "now()")}`,
    values: [workspaceId, agentId, sessionId, toolName, inputSha256, callId, isWaiting],
  });
  return rows[0] ?? null;
}

/** Pending requests of the agent, and of those the session's: counted up to the limits that ask. */
export async function countPending(
  client: PoolClient,
  workspaceId: string,
  agentId: string,
  sessionId: string,
): Promise<{ readonly ofAgent: number; readonly ofSession: number }> {
  const { rows } = await client.query<{ ofAgent: number; ofSession: number }>({
    name: "approval_count_pending",
    text: `SELECT count(*)::int AS "ofAgent", count(*) FILTER (WHERE session_id = $3)::int AS "ofSession"
      FROM approval_request WHERE workspace_id = $1 AND agent_id = $2 AND state = 'pending'`,
    values: [workspaceId, agentId, sessionId],
  });
  return rows[0] ?? { ofAgent: 0, ofSession: 0 };
}

/**
 * Writes the request under the number of the entry that the transaction wrote last, whose lock it holds; returns the
 * number. Without a lease holder, no call waits for it.
 */
export async function insert(
  client: PoolClient,
  workspaceId: string,
  request: RatedRequest,
  leaseHolder: string | null,
): Promise<number> {
  const { rows } = await client.query<{ number: number }>({
    name: "approval_insert",
    text: `INSERT INTO approval_request (workspace_id, id, number, is_waiting, agent_id, agent_name, session_id, tool_name, call_id,
        input_sha256, input, is_whole, cwd, reason, asked_by, risk, people_needed, needs_confirmation, risk_class, route,
        asked_at, expires_at, lease_holder, remind_at, principal_id, certainty)
      SELECT $1, $2, head.seq, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $19, $20, $21,
        clock.now, clock.now + least($17::float8, $22::float8) * interval '1 millisecond', $18, clock.now + $23::float8 * interval '1 millisecond', $24, $25
      FROM audit_head AS head, (SELECT clock_timestamp() AS now OFFSET 0) AS clock WHERE head.workspace_id = $1
      RETURNING number::float8 AS number`,
    values: [
      workspaceId,
      request.id,
      request.isWaiting,
      request.agentId,
      request.agentName,
      request.sessionId,
      request.toolName,
      request.callId,
      request.inputSha256,
      request.input,
      request.isWhole,
      request.cwd,
      request.reason,
      JSON.stringify(request.askedBy),
      request.risk,
      request.peopleNeeded,
      request.forMs,
      leaseHolder,
      ...needsIn(request).slice(1),
      request.remindAfterMs,
      request.principal?.id ?? null,
      request.principal?.certainty ?? null,
    ],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`no audit head for workspace ${workspaceId}`);
  return row.number;
}

/** The requests that are closed, of those named. */
export async function listClosed(
  pool: Pool,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly Settlement[]> {
  const { rows } = await pool.query<Settlement>({
    name: "approval_settled",
    text: `SELECT ${SETTLEMENT} FROM approval_request AS request
      WHERE request.workspace_id = $1 AND request.id = ANY ($2::uuid[]) AND request.state <> 'pending'`,
    values: [workspaceId, ids],
  });
  return rows;
}

export interface LapsedRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly number: number;
}

/** Closes the request as lapsed, unless it has been answered. */
export async function lapse(client: PoolClient, workspaceId: string, id: string): Promise<LapsedRow | null> {
  const { rows } = await client.query<LapsedRow>({
    name: "approval_lapse",
    text: `UPDATE approval_request SET state = 'lapsed', closed_at = clock_timestamp(), lease_until = NULL
      WHERE workspace_id = $1 AND id = $2 AND state = 'pending'
      RETURNING workspace_id AS "workspaceId", id, number::float8 AS number`,
    values: [workspaceId, id],
  });
  return rows[0] ?? null;
}

/** The workspaces with requests that have expired, or whose gateway is gone. */
export async function listDueWorkspaces(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ workspaceId: string }>(
    `SELECT DISTINCT workspace_id AS "workspaceId" FROM approval_request
     WHERE state = 'pending' AND ${isOver("approval_request", "clock_timestamp()")}`,
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

export async function lapseDue(client: PoolClient, workspaceId: string, limit: number): Promise<readonly LapsedRow[]> {
  const { rows } = await client.query<LapsedRow>(
    `UPDATE approval_request SET state = 'lapsed', closed_at = clock_timestamp(), lease_until = NULL
     WHERE workspace_id = $1 AND id IN (SELECT id FROM approval_request WHERE workspace_id = $1 AND state = 'pending'
       AND ${isOver("approval_request", "clock_timestamp()")} ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING workspace_id AS "workspaceId", id, number::float8 AS number`,
    [workspaceId, limit],
  );
  return rows;
}

/** Removes requests that were closed more than `days` ago. */
export async function removeOld(pool: Pool, days: number, limit: number): Promise<number> {
  const removed = await pool.query(
    `DELETE FROM approval_request WHERE (workspace_id, id) IN (SELECT workspace_id, id FROM approval_request
       WHERE closed_at < now() - $1 * interval '1 day' LIMIT $2)`,
    [days, limit],
  );
  return removed.rowCount ?? 0;
}
