/**
 * SQL of grants: a call claims a grant before it is recorded; the grant is spent with the record
 * (server/recording/spend-grants.ts), or released.
 */
import type { Pool, PoolClient } from "../platform/db.ts";
import type { Allowance } from "./own-agents.ts";
import { rankOf, SETTLEMENT, type Settlement } from "./repository.ts";
import type { RiskClass } from "./risk-class-schema.ts";

/** A claim without a record reserves its grant for this long. */
const HOLD_MS = 15_000;

export interface Claim {
  readonly agentId: string;
  readonly sessionId: string;
  readonly toolName: string;
  readonly inputSha256: Buffer;
  readonly callId: string;
  /** The event and the lane. */
  readonly gate: string;
  /** As many as this gate needs: what fewer allowed at another one does not pass it. */
  readonly peopleNeeded: number;
  /**
   * The risk class at this gate: a grant for a lower class does not pass it, since other people or no confirmation may
   * have sufficed.
   */
  readonly riskClass: RiskClass;
}

/**
 * Holds the call's grant; when several calls compete for one, the first gets it. Nothing is spent yet. The same call
 * can take it again immediately, another call after the hold expires; then the record of the first call is refused.
 * Null when there is no grant.
 */
export async function claim(client: PoolClient, workspaceId: string, claim: Claim): Promise<Settlement | null> {
  const { agentId, sessionId, toolName, inputSha256, callId, gate, peopleNeeded, riskClass } = claim;
  const { rows } = await client.query<Settlement>({
    name: "approval_claim",
    text: `UPDATE approval_request AS request
      SET call_id = $6, held_until = clock_timestamp() + $10::float8 * interval '1 millisecond'
      WHERE request.workspace_id = $1 AND request.id = (
        SELECT one.id FROM approval_request AS one
        WHERE one.workspace_id = $1 AND one.agent_id = $2 AND one.session_id = $3 AND one.tool_name = $4
          AND one.state = 'approved' AND one.granted_until > clock_timestamp()
          AND one.people_needed >= $8 AND ${rankOf("one.risk_class")} >= ${rankOf("$9::text")}
          AND coalesce(one.edited_sha256, one.input_sha256) = $5
          AND ((one.call_id = $6 AND NOT ($7::text = ANY (one.used_gates)))
            OR (one.used_at IS NULL AND NOT one.is_waiting AND coalesce(one.held_until <= clock_timestamp(), true)))
        ORDER BY (one.call_id = $6) DESC, one.number LIMIT 1 FOR UPDATE)
      RETURNING ${SETTLEMENT}`,
    values: [workspaceId, agentId, sessionId, toolName, inputSha256, callId, gate, peopleNeeded, riskClass, HOLD_MS],
  });
  return rows[0] ?? null;
}

/** The allowances of a request, and the number of people that it takes. */
export async function findAllowances(
  client: PoolClient,
  workspaceId: string,
  requestId: string,
): Promise<{ readonly allowances: readonly Allowance[]; readonly peopleNeeded: number }> {
  const { rows } = await client.query<Allowance & { readonly peopleNeeded: number }>({
    name: "approval_allowances",
    text: `SELECT answer.person_id AS "personId", answer.answered_at AS "answeredAt", request.people_needed::int AS "peopleNeeded"
      FROM approval_request AS request
        JOIN approval_answer AS answer ON answer.workspace_id = request.workspace_id AND answer.request_id = request.id
      WHERE request.workspace_id = $1 AND request.id = $2 AND answer.is_allow`,
    values: [workspaceId, requestId],
  });
  return { allowances: rows, peopleNeeded: rows[0]?.peopleNeeded ?? 1 };
}

/** Ends a grant: no further call can take it, even if it has passed one of the gates. */
export async function end(client: PoolClient, workspaceId: string, requestId: string): Promise<void> {
  await client.query({
    name: "approval_end_grant",
    text: `UPDATE approval_request SET granted_until = clock_timestamp(), held_until = NULL,
        state = CASE WHEN used_at IS NULL THEN 'withdrawn' ELSE state END
      WHERE workspace_id = $1 AND id = $2 AND state = 'approved'`,
    values: [workspaceId, requestId],
  });
}

/** A grant that a call holds. */
interface HeldGrant {
  readonly requestId: string;
  readonly callId: string;
}

/**
 * Releases an unspent grant: the next equal call can take it, even if this call had waited for it. It waits for a
 * record of the call that is being committed. True if the record of `dispatchId` was committed after all, and spent the
 * grant.
 */
export async function release(
  pool: Pool,
  workspaceId: string,
  { requestId, callId }: HeldGrant,
  dispatchId: string,
): Promise<boolean> {
  await pool.query({
    name: "approval_release",
    text: `UPDATE approval_request SET held_until = NULL, is_waiting = false, lease_holder = NULL, lease_until = NULL
      WHERE workspace_id = $1 AND id = $2 AND call_id = $3 AND state = 'approved' AND used_at IS NULL`,
    values: [workspaceId, requestId, callId],
  });
  const { rowCount } = await pool.query({
    name: "approval_spent_by",
    text: "SELECT FROM approval_request WHERE workspace_id = $1 AND id = $2 AND $3::uuid = ANY (spent_by)",
    values: [workspaceId, requestId, dispatchId],
  });
  return rowCount === 1;
}
