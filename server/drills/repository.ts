/** The statements of drills. Every instant is PostgreSQL's: the clocks of agents' machines play no part. */
import type { Pool, Tx } from "../platform/db.ts";
import { DISPATCHES_MAX, type DrillAnswer, type DrillMode, NONCE_SECONDS, REPORT_SECONDS } from "./schema.ts";

/** Drills kept per agent. */
const KEPT_MAX = 50;
/** The stretch of time in which beginnings are counted. */
const RATE_MINUTES = 10;

/** Locks the agent, so that two who begin the last drill that is allowed do not both. */
export async function countBegun(tx: Tx, workspaceId: string, agentId: string) {
  await tx.$queryRaw`SELECT 1 FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${agentId}::uuid
    FOR NO KEY UPDATE`;
  const [row] = await tx.$queryRaw<{ open: number; lately: number }[]>`
    SELECT count(*) FILTER (WHERE reported_at IS NULL AND expires_at > clock_timestamp())::int AS open,
      count(*)::int AS lately
    FROM agent_drill WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid
      AND begun_at > clock_timestamp() - ${RATE_MINUTES} * interval '1 minute'`;
  return row ?? { open: 0, lately: 0 };
}

export interface NewDrill {
  readonly id: string;
  readonly agentId: string;
  readonly mode: DrillMode;
  readonly nonceSha256: Buffer;
  readonly keyFingerprint: string;
}

export async function insert(tx: Tx, workspaceId: string, one: NewDrill): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO agent_drill (workspace_id, id, agent_id, mode, nonce_sha256, key_fingerprint, expires_at)
    VALUES (${workspaceId}::uuid, ${one.id}::uuid, ${one.agentId}::uuid, ${one.mode}, ${one.nonceSha256}::bytea,
      ${one.keyFingerprint}, clock_timestamp() + ${NONCE_SECONDS} * interval '1 second')`;
}

/** Removes expired drills that were never reported, and all but the newest drills of an agent. */
export async function prune(tx: Tx, workspaceId: string, agentId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM agent_drill AS one WHERE one.workspace_id = ${workspaceId}::uuid AND one.agent_id = ${agentId}::uuid
      AND one.begun_at < clock_timestamp() - ${RATE_MINUTES} * interval '1 minute'
      AND (one.reported_at IS NULL OR one.id NOT IN (
        SELECT id FROM agent_drill WHERE workspace_id = one.workspace_id AND agent_id = one.agent_id
        ORDER BY begun_at DESC, id DESC LIMIT ${KEPT_MAX}))`;
}

export interface DrillBearer {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly keyFingerprint: string;
  readonly nonceSha256: Buffer;
}

/** Counts one dispatch under a nonce; null when the nonce marks no drill. */
export async function takeDispatch(pool: Pool, bearer: DrillBearer): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: "drill_take",
    text: `UPDATE agent_drill SET dispatches = dispatches + 1
           WHERE workspace_id = $1 AND nonce_sha256 = $2 AND agent_id = $3 AND key_fingerprint = $4
             AND reported_at IS NULL AND expires_at > clock_timestamp() AND dispatches < ${DISPATCHES_MAX}
           RETURNING id`,
    values: [bearer.workspaceId, bearer.nonceSha256, bearer.agentId, bearer.keyFingerprint],
  });
  return rows[0]?.id ?? null;
}

export async function addAnswer(pool: Pool, workspaceId: string, id: string, answer: DrillAnswer): Promise<void> {
  await pool.query({
    name: "drill_answer",
    text: "UPDATE agent_drill SET answers = answers || $3::jsonb WHERE workspace_id = $1 AND id = $2",
    values: [workspaceId, id, JSON.stringify([answer])],
  });
}

/** Returns the drill of a nonce that can still be reported, locked; null when there is no match. */
export async function findToReport(tx: Tx, bearer: DrillBearer) {
  const [row] = await tx.$queryRaw<{ id: string; mode: string; answers: unknown }[]>`
    SELECT id, mode, answers FROM agent_drill
    WHERE workspace_id = ${bearer.workspaceId}::uuid AND nonce_sha256 = ${bearer.nonceSha256}::bytea
      AND agent_id = ${bearer.agentId}::uuid AND key_fingerprint = ${bearer.keyFingerprint} AND reported_at IS NULL
      AND begun_at > clock_timestamp() - ${REPORT_SECONDS} * interval '1 second'
    FOR UPDATE`;
  return row ?? null;
}

export interface ReportedRow {
  readonly client: string;
  readonly clientVersion: string | null;
  readonly results: string;
}

export async function close(tx: Tx, workspaceId: string, id: string, reported: ReportedRow): Promise<void> {
  await tx.$executeRaw`
    UPDATE agent_drill SET client = ${reported.client}, client_version = ${reported.clientVersion},
      results = ${reported.results}::jsonb, reported_at = clock_timestamp()
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

/** Stores what a drill reported of the agent's client: its version, and its name before the first event of a session. */
export async function updateClient(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  { client, clientVersion }: Pick<ReportedRow, "client" | "clientVersion">,
): Promise<void> {
  await tx.$executeRaw`UPDATE agent SET client = coalesce(client, ${client}),
      client_version = coalesce(${clientVersion}, client_version)
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${agentId}::uuid`;
}

export async function listOfAgent(pool: Pool, workspaceId: string, agentId: string, limit: number) {
  const { rows } = await pool.query({
    name: "drills_of_agent",
    text: `SELECT id, mode, client, client_version AS "clientVersion", reported_at AS "reportedAt", results
           FROM agent_drill WHERE workspace_id = $1 AND agent_id = $2 AND reported_at IS NOT NULL
           ORDER BY begun_at DESC, id DESC LIMIT $3`,
    values: [workspaceId, agentId, limit],
  });
  return rows;
}

/** Per agent with a drill: the newest of each mode. */
export async function listNewest(pool: Pool, workspaceId: string, limit: number) {
  const { rows } = await pool.query<{ agentId: string; reportedAt: Date; results: unknown }>({
    name: "drills_newest",
    text: `SELECT DISTINCT ON (agent_id, mode) agent_id AS "agentId", reported_at AS "reportedAt", results
           FROM agent_drill WHERE workspace_id = $1 AND reported_at IS NOT NULL
           ORDER BY agent_id, mode, begun_at DESC, id DESC LIMIT $2`,
    values: [workspaceId, limit],
  });
  return rows;
}
