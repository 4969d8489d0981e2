/** The requests behind calls: those with given numbers, and those whose agents hold a call open. Reads only. */
import type { Pool } from "../platform/db.ts";
import type { ApprovalState } from "./approval-state-schema.ts";
import { isOver } from "./leases-repository.ts";

export interface NumberedRequest {
  readonly id: string;
  readonly number: number;
  readonly state: ApprovalState;
  /** The people who answered, the first answer first. */
  readonly names: readonly string[];
}

const NAMES = `coalesce((SELECT array_agg(answer.person_name ORDER BY answer.answered_at) FROM approval_answer AS answer
  WHERE answer.workspace_id = request.workspace_id AND answer.request_id = request.id), '{}') AS names`;

export async function listRequestsByNumber(
  pool: Pool,
  workspaceId: string,
  numbers: readonly number[],
): Promise<readonly NumberedRequest[]> {
  if (numbers.length === 0) return [];
  const { rows } = await pool.query<NumberedRequest>({
    name: "approvals_by_number",
    text: `SELECT id, number::float8 AS number, state, ${NAMES} FROM approval_request AS request
      WHERE workspace_id = $1 AND number = ANY($2::bigint[])`,
    values: [workspaceId, numbers],
  });
  return rows;
}

export interface HeldCall {
  readonly id: string;
  readonly number: number;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly toolName: string;
  readonly callId: string;
  /** JSON text, masked and cut. */
  readonly input: string;
  readonly reason: string;
  readonly policies: readonly string[];
  readonly askedAt: Date;
}

/** The beginning of an input is enough to name its call. */
const INPUT_CHARS_MAX = 4_000;

/** The calls that agents hold open for an answer, asked in the range, the newest first. */
export async function listHeldCalls(
  pool: Pool,
  workspaceId: string,
  range: { readonly from: Date; readonly to: Date },
  limit: number,
): Promise<readonly HeldCall[]> {
  const { rows } = await pool.query<HeldCall>({
    name: "approvals_held",
    text: `SELECT id, number::float8 AS number, agent_id AS "agentId", agent_name AS "agentName", session_id AS "sessionId",
        tool_name AS "toolName", call_id AS "callId", left(input, $5) AS input, reason, asked_at AS "askedAt",
        ARRAY(SELECT hook ->> 'policy' FROM jsonb_array_elements(asked_by) AS hook) AS policies
      FROM approval_request AS request
      WHERE workspace_id = $1 AND state = 'pending' AND is_waiting AND asked_at >= $2 AND asked_at < $3
        AND NOT ${isOver("request", "clock_timestamp()")}
      ORDER BY asked_at DESC, id DESC LIMIT $4`,
    values: [workspaceId, range.from, range.to, limit, INPUT_CHARS_MAX],
  });
  return rows;
}
