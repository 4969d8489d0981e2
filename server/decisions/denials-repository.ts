/** The denials of one agent. */
import type { Pool } from "../platform/db.ts";
import { COLUMNS, type DecisionRow } from "./repository.ts";

interface DenialsOfAgent {
  readonly agentId: string;
  /** Only denials of this session; null for all sessions. */
  readonly sessionId: string | null;
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

/** The newest first. */
export async function listDenialsOfAgent(
  pool: Pool,
  workspaceId: string,
  { agentId, sessionId, from, to, limit }: DenialsOfAgent,
): Promise<readonly DecisionRow[]> {
  const { rows } = await pool.query<DecisionRow>({
    name: sessionId === null ? "denials_of_agent" : "denials_of_agent_in_session",
    text: `SELECT ${COLUMNS} FROM tool_decision
      WHERE workspace_id = $1 AND agent_id = $2 AND verdict = 'deny' AND occurred_at >= $3 AND occurred_at < $4
        ${sessionId === null ? "" : "AND session_id = $6"}
      ORDER BY occurred_at DESC, dispatch_id DESC LIMIT $5`,
    values: [workspaceId, agentId, from, to, limit, ...(sessionId === null ? [] : [sessionId])],
  });
  return rows;
}

/** A revision of a policy, as the reason of a decision names it. */
interface NamedRevision {
  readonly policy: string;
  readonly revision: number;
}

/** The hooks of these revisions; deleted policies are left out. */
export async function listHooksOf(
  pool: Pool,
  workspaceId: string,
  revisions: readonly NamedRevision[],
): Promise<readonly (NamedRevision & { readonly hooks: unknown })[]> {
  if (revisions.length === 0) return [];
  const { rows } = await pool.query<NamedRevision & { hooks: unknown }>(
    `SELECT policy.name AS policy, text.number AS revision, text.hooks
     FROM unnest($2::text[], $3::int[]) AS wanted (name, number)
     JOIN policy ON policy.workspace_id = $1 AND policy.name = wanted.name
     JOIN policy_revision AS text
       ON text.workspace_id = $1 AND text.policy_id = policy.id AND text.number = wanted.number`,
    [workspaceId, revisions.map(({ policy }) => policy), revisions.map(({ revision }) => revision)],
  );
  return rows;
}
