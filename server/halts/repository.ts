import type { Pool, Tx } from "../platform/db.ts";
import type { HaltScope } from "./schema.ts";

/**
 * A halt in force, and the agents that it reaches through a group: its members, and those that have left the group
 * since the halt.
 */
export interface HaltInForceRow {
  /** The chain number of the last change to the workspace's halts. */
  readonly number: number;
  /** Null: no halt is in force. */
  readonly id: string | null;
  /** As stored: `readHaltTarget` reads it. */
  readonly scope: string;
  readonly groupId: string | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly hasTarget: boolean;
  readonly about: string;
  readonly reason: string;
  readonly haltedAt: Date;
  readonly haltedBy: string;
  readonly isQuarantine: boolean;
  readonly members: readonly string[];
}

/** A group that is halted and an agent that is halted cannot be removed. */
const HAS_TARGET = `(halt.group_id IS NULL OR EXISTS (SELECT FROM agent_group AS own
    WHERE own.workspace_id = halt.workspace_id AND own.id = halt.group_id))
  AND (halt.agent_id IS NULL OR EXISTS (SELECT FROM agent WHERE agent.workspace_id = halt.workspace_id AND agent.id = halt.agent_id))`;

/**
 * The halts in force with the number in the chain's head, as of one instant: at least one row for an existing
 * workspace.
 */
export async function listInForce(pool: Pool, workspaceId: string): Promise<readonly HaltInForceRow[]> {
  const found = await pool.query<HaltInForceRow>({
    name: "halts_in_force",
    text: `SELECT head.halt_number::float8 AS number, halt.id, halt.scope, halt.group_id AS "groupId", halt.agent_id AS "agentId",
        halt.session_id AS "sessionId", ${HAS_TARGET} AS "hasTarget", halt.about, halt.reason, halt.halted_at AS "haltedAt", halt.halted_by AS "haltedBy", halt.is_quarantine AS "isQuarantine",
        ARRAY(SELECT member.agent_id::text FROM agent_group_member AS member
            WHERE member.workspace_id = halt.workspace_id AND member.group_id = halt.group_id
          UNION SELECT kept.agent_id::text FROM halt_kept_agent AS kept
            WHERE kept.workspace_id = halt.workspace_id AND kept.halt_id = halt.id) AS members
      FROM audit_head AS head LEFT JOIN halt ON halt.workspace_id = head.workspace_id AND halt.resumed_at IS NULL
      WHERE head.workspace_id = $1`,
    values: [workspaceId],
  });
  return found.rows;
}

export interface NewHalt {
  readonly id: string;
  readonly scope: HaltScope;
  readonly groupId: string | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly about: string;
  readonly reason: string;
  readonly by: string;
  readonly isQuarantine: boolean;
  /** Made by a runaway rule, and by no person. */
  readonly byRule: boolean;
}

/** False when the same is halted already. */
export async function insert(tx: Tx, workspaceId: string, halt: NewHalt): Promise<boolean> {
  const { id, scope, groupId, agentId, sessionId, about, reason, by, isQuarantine, byRule } = halt;
  const written = await tx.$executeRaw`
    INSERT INTO halt (workspace_id, id, scope, group_id, agent_id, session_id, about, reason, halted_by, is_quarantine, by_rule)
    VALUES (${workspaceId}::uuid, ${id}::uuid, ${scope}, ${groupId}::uuid, ${agentId}::uuid, ${sessionId}, ${about}, ${reason}, ${by},
      ${isQuarantine}, ${byRule}) ON CONFLICT DO NOTHING`;
  return written === 1;
}

/** The columns that define the reach of a halt. */
export type TargetFields = Pick<NewHalt, "scope" | "groupId" | "agentId" | "sessionId">;

export interface ReachedCounts {
  readonly agents: number;
  readonly sessions: number;
  /** Only the sessions that were heard last were looked through. */
  readonly isWindowFull: boolean;
}

/** The number of the workspace's sessions that are searched for those of a target. */
const WINDOW_MAX = 10_000;

/**
 * The number of agents that a halt would reach, and of their running sessions, each counted up to `most` + 1. As in
 * lists, a session is running if it was active within `activeMs` and has not ended.
 */
export async function countReached(
  pool: Pool,
  workspaceId: string,
  { scope, groupId, agentId, sessionId }: TargetFields,
  { activeMs, most }: { readonly activeMs: number; readonly most: number },
): Promise<ReachedCounts> {
  const { rows } = await pool.query<ReachedCounts>({
    name: "halts_reached",
    text: `WITH reached AS (SELECT id FROM agent WHERE workspace_id = $1 AND retired_at IS NULL AND ($2 = 'workspace' OR id = $4
          OR id IN (SELECT agent_id FROM agent_group_member WHERE workspace_id = $1 AND group_id = $3))),
        latest AS (SELECT agent_id, session_id, parent_session_id, last_at, last_end_at FROM session
          WHERE workspace_id = $1 AND last_at >= now() - $6 * interval '1 millisecond' ORDER BY last_at DESC LIMIT ${WINDOW_MAX}),
        running AS (SELECT FROM latest WHERE (last_end_at IS NULL OR last_at > last_end_at + interval '10 seconds')
          AND ($5::text IS NULL OR session_id = $5 OR parent_session_id = $5) AND agent_id IN (SELECT id FROM reached) LIMIT $7 + 1)
      SELECT (SELECT count(*)::int FROM (SELECT FROM reached LIMIT $7 + 1) AS few) AS agents,
        (SELECT count(*)::int FROM running) AS sessions, (SELECT count(*) = ${WINDOW_MAX} FROM latest) AS "isWindowFull"`,
    values: [workspaceId, scope, groupId, agentId, sessionId, activeMs, most],
  });
  return rows[0] ?? { agents: 0, sessions: 0, isWindowFull: false };
}

export interface HaltRow {
  readonly id: string;
  /** As stored: `readHaltTarget` reads it. */
  readonly scope: string;
  readonly groupId: string | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly about: string;
  readonly reason: string;
  readonly isQuarantine: boolean;
  readonly haltedAt: Date;
  readonly haltedBy: string;
  readonly resumedAt: Date | null;
  readonly resumedBy: string | null;
  readonly resumeReason: string | null;
  readonly hasTarget: boolean;
}

/** One whose target cannot be read may be of any agent. */
const IS_UNREADABLE = `scope NOT IN ('workspace', 'group', 'agent', 'session') OR NOT (${HAS_TARGET})`;

const COLUMNS = `id, scope, group_id AS "groupId", agent_id AS "agentId", session_id AS "sessionId", about, reason,
  is_quarantine AS "isQuarantine", halted_at AS "haltedAt", halted_by AS "haltedBy", resumed_at AS "resumedAt",
  resumed_by AS "resumedBy", resume_reason AS "resumeReason", resumed_at IS NOT NULL OR (${HAS_TARGET}) AS "hasTarget"`;

/** The wider a halt reaches, the less it is; of equals less where a person made it. */
const WEIGHT = `2 * array_position(ARRAY['workspace', 'group', 'agent', 'session'], scope) + by_rule::int - 2`;

/** The halt with its row locked. */
export async function findForUpdate(tx: Tx, workspaceId: string, id: string): Promise<HaltRow | null> {
  const [row = null] = await tx.$queryRawUnsafe<HaltRow[]>(
    `SELECT ${COLUMNS} FROM halt WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`,
    workspaceId,
    id,
  );
  return row;
}

export async function resume(tx: Tx, workspaceId: string, id: string, by: string, reason: string): Promise<void> {
  await tx.$executeRaw`UPDATE halt SET resumed_at = clock_timestamp(), resumed_by = ${by}, resume_reason = ${reason}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

/** Sets the number in the chain's head to that of the entry that this transaction wrote last. */
export async function markHead(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRaw`UPDATE audit_head SET halt_number = seq WHERE workspace_id = ${workspaceId}::uuid`;
}

export async function countInForce(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM halt WHERE workspace_id = ${workspaceId}::uuid AND resumed_at IS NULL`;
  return row?.count ?? 0;
}

/**
 * Halts in force first: the widest first, and those by people before those by rules, of which there may be hundreds.
 * Then the others, the newest first.
 */
export async function list(pool: Pool, workspaceId: string, limit: number): Promise<readonly HaltRow[]> {
  const { rows } = await pool.query<HaltRow>({
    name: "halts_list",
    text: `SELECT * FROM (
        (SELECT ${COLUMNS}, ${WEIGHT} AS weight FROM halt WHERE workspace_id = $1 AND resumed_at IS NULL
          ORDER BY weight, halted_at DESC LIMIT $2)
        UNION ALL
        (SELECT ${COLUMNS}, 9 AS weight FROM halt WHERE workspace_id = $1 AND resumed_at IS NOT NULL ORDER BY halted_at DESC LIMIT $2)
      ) AS one ORDER BY weight, "haltedAt" DESC, id LIMIT $2`,
    values: [workspaceId, limit],
  });
  return rows.map(({ weight: _order, ...row }: HaltRow & { weight?: number }) => row);
}

/** The group's name; its row is locked until the transaction ends. */
export async function findGroupName(tx: Tx, workspaceId: string, id: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM agent_group WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR SHARE`;
  return row?.name ?? null;
}

/**
 * The agent's name; its row stays until the transaction ends. The lock allows updates of the agent's other columns,
 * such as its last event.
 */
export async function findAgentName(tx: Tx, workspaceId: string, id: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR KEY SHARE`;
  return row?.name ?? null;
}

export async function isGroupHalted(tx: Tx, workspaceId: string, groupId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    { halted: boolean }[]
  >`SELECT EXISTS (SELECT FROM halt WHERE workspace_id = ${workspaceId}::uuid
    AND scope = 'group' AND group_id = ${groupId}::uuid AND resumed_at IS NULL) AS halted`;
  return row?.halted ?? false;
}

/** True while a halt of the agent, of a session of it or of a group that it left is in force. */
export async function isAgentHalted(tx: Tx, workspaceId: string, agentId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    { halted: boolean }[]
  >`SELECT EXISTS (SELECT FROM halt WHERE workspace_id = ${workspaceId}::uuid AND resumed_at IS NULL AND (agent_id = ${agentId}::uuid
      OR group_id IN (SELECT group_id FROM agent_group_member WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid)
      OR id IN (SELECT halt_id FROM halt_kept_agent WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid))) AS halted`;
  return row?.halted ?? false;
}

/** The halts in force that reach the agent or a session of it, the widest first. */
export async function listOfAgent(
  pool: Pool,
  workspaceId: string,
  agentId: string,
  limit: number,
): Promise<readonly HaltRow[]> {
  const { rows } = await pool.query<HaltRow>({
    name: "halts_of_agent",
    text: `SELECT ${COLUMNS} FROM halt WHERE workspace_id = $1 AND resumed_at IS NULL AND (scope = 'workspace' OR ${IS_UNREADABLE} OR agent_id = $2
        OR group_id IN (SELECT group_id FROM agent_group_member WHERE workspace_id = $1 AND agent_id = $2)
        OR id IN (SELECT halt_id FROM halt_kept_agent WHERE workspace_id = $1 AND agent_id = $2))
      ORDER BY array_position(ARRAY['workspace', 'group', 'agent', 'session'], scope), halted_at DESC, id LIMIT $3`,
    values: [workspaceId, agentId, limit],
  });
  return rows;
}

/** Agents that are not retired and have no key that asks the gateway. `agentId` null: any. */
export async function listUnreachable(
  pool: Pool,
  workspaceId: string,
  agentId: string | null,
  limit: number,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await pool.query<{ id: string; name: string }>({
    name: "halts_unreachable",
    text: `SELECT id, name FROM agent WHERE workspace_id = $1 AND retired_at IS NULL AND ($2::uuid IS NULL OR id = $2) AND NOT EXISTS (
        SELECT FROM agent_key AS key WHERE key.workspace_id = agent.workspace_id AND key.agent_id = agent.id
          AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now()) AND 'dispatch' = ANY (key.scopes))
      ORDER BY name LIMIT $3`,
    values: [workspaceId, agentId, limit],
  });
  return rows;
}
