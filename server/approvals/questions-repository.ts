/** The statements of questions that agents ask themselves. */
import type { Pool, PoolClient } from "../platform/db.ts";
import type { ApprovalState } from "./approval-state-schema.ts";
import type { CallBinding } from "./binding.ts";
import { isOver } from "./leases-repository.ts";

export interface QuestionRow {
  readonly number: number;
  readonly state: ApprovalState;
  /** True when it can no longer be answered, regardless of its state. */
  readonly isOver: boolean;
  readonly words: string;
  readonly people: readonly string[];
  readonly askedAt: Date;
  readonly expiresAt: Date;
}

/**
 * Returns the newest question of the agent with the same words in this session, of the last hour; null when there is no
 * match.
 */
export async function findQuestion(
  db: Pool | PoolClient,
  workspaceId: string,
  agentId: string,
  { sessionId, toolName, inputSha256 }: CallBinding,
): Promise<QuestionRow | null> {
  const { rows } = await db.query<QuestionRow>({
    name: "approval_question",
    text: `SELECT request.number::float8 AS number, request.state, request.words, request.asked_at AS "askedAt",
        request.expires_at AS "expiresAt", ${isOver("request", "clock_timestamp()")} AS "isOver",
        ARRAY(SELECT answer.person_name FROM approval_answer AS answer WHERE answer.workspace_id = request.workspace_id
          AND answer.request_id = request.id AND answer.is_allow = (request.state <> 'denied') ORDER BY answer.answered_at) AS people
      FROM approval_request AS request
      WHERE request.workspace_id = $1 AND request.agent_id = $2 AND request.session_id = $3 AND request.tool_name = $4
        AND request.input_sha256 = $5 AND request.asked_at > clock_timestamp() - interval '1 hour'
      ORDER BY request.asked_at DESC, request.id LIMIT 1`,
    values: [workspaceId, agentId, sessionId, toolName, inputSha256],
  });
  return rows[0] ?? null;
}

/** The agent's questions of the last hour, and of those the ones that wait for an answer. */
export async function countQuestions(
  client: PoolClient,
  workspaceId: string,
  agentId: string,
  toolName: string,
): Promise<{ readonly open: number; readonly lately: number }> {
  const { rows } = await client.query<{ open: number; lately: number }>({
    name: "approval_count_questions",
    text: `SELECT count(*) FILTER (WHERE request.state = 'pending' AND NOT ${isOver("request", "clock_timestamp()")})::int AS open,
        count(*)::int AS lately
      FROM approval_request AS request
      WHERE request.workspace_id = $1 AND request.agent_id = $2 AND request.tool_name = $3
        AND request.asked_at > clock_timestamp() - interval '1 hour'`,
    values: [workspaceId, agentId, toolName],
  });
  return rows[0] ?? { open: 0, lately: 0 };
}
