/** The statements of logins of machines. */
import type { Pool, Tx } from "../platform/db.ts";
import { LOGIN_LIMITS } from "./schema.ts";

const PERIOD = `interval '${LOGIN_LIMITS.minutes} minutes'`;

export interface NewLogin {
  readonly id: string;
  readonly agentId: string;
  readonly keyFingerprint: string;
  readonly deviceCode: Buffer;
  readonly userCode: Buffer;
  readonly hostName: string;
  readonly ip: string | null;
}

/** False if another login has the same short code. */
export async function insert(tx: Tx, workspaceId: string, one: NewLogin): Promise<boolean> {
  const done = await tx.$executeRawUnsafe(
    `INSERT INTO device_login (workspace_id, id, agent_id, key_fingerprint, device_code, user_code, host_name, ip, interval_s, expires_at)
     VALUES ($1::uuid, $2::uuid, $3::uuid, $4, $5::bytea, $6::bytea, $7, $8, ${LOGIN_LIMITS.intervalSeconds}, clock_timestamp() + ${PERIOD})
     ON CONFLICT DO NOTHING`,
    ...[workspaceId, one.id, one.agentId, one.keyFingerprint, one.deviceCode, one.userCode, one.hostName, one.ip],
  );
  return done === 1;
}

/** Waits for other logins of the agent. Foreign keys to the agent do not wait. */
export async function lockAgent(tx: Tx, workspaceId: string, agentId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${agentId}::uuid FOR NO KEY UPDATE`;
}

/** The logins that were asked for in the last ten minutes. */
export async function countRecent(tx: Tx, workspaceId: string, agentId: string) {
  const [row] = await tx.$queryRawUnsafe<{ ofAgent: number; total: number }[]>(
    `SELECT count(*) FILTER (WHERE agent_id = $2::uuid)::int AS "ofAgent", count(*)::int AS total FROM device_login
     WHERE workspace_id = $1::uuid AND asked_at > clock_timestamp() - ${PERIOD}`,
    workspaceId,
    agentId,
  );
  return row ?? { ofAgent: 0, total: 0 };
}

export async function findWorkspaceName(tx: Tx, workspaceId: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`SELECT name FROM workspace WHERE id = ${workspaceId}::uuid`;
  return row?.name ?? "";
}

export interface PolledLogin {
  readonly id: string;
  readonly keyFingerprint: string;
  readonly state: "waiting" | "confirmed" | "refused";
  readonly isOver: boolean;
  readonly isUsed: boolean;
  readonly isTooSoon: boolean;
  readonly replacedId: string | null;
}

/** The login with this code of a machine, locked. */
export async function findForPoll(tx: Tx, workspaceId: string, deviceCode: Buffer): Promise<PolledLogin | null> {
  const [row] = await tx.$queryRaw<PolledLogin[]>`
    SELECT id::text, key_fingerprint AS "keyFingerprint", state, expires_at <= clock_timestamp() AS "isOver", used_at IS NOT NULL AS "isUsed",
      coalesce(polled_at > clock_timestamp() - interval_s * interval '1 second', false) AS "isTooSoon", replaced_id::text AS "replacedId"
    FROM device_login WHERE workspace_id = ${workspaceId}::uuid AND device_code = ${deviceCode}::bytea FOR UPDATE`;
  return row ?? null;
}

/** Notes a question. One that came too soon makes the machine wait longer from then on. */
export async function savePoll(tx: Tx, workspaceId: string, { id, isTooSoon }: PolledLogin): Promise<void> {
  await tx.$executeRaw`UPDATE device_login SET polled_at = clock_timestamp(),
      interval_s = least(interval_s + ${isTooSoon ? 5 : 0}::int, ${LOGIN_LIMITS.intervalSecondsMax}::int)
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

export async function saveUse(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE device_login SET used_at = clock_timestamp()
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

export interface WaitingRow {
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly hostName: string;
  readonly ip: string | null;
  readonly askedAt: Date;
  readonly expiresAt: Date;
}

const WAITING = `SELECT login.id::text, agent.id::text AS "agentId", agent.name AS "agentName", login.host_name AS "hostName", login.ip,
    login.asked_at AS "askedAt", login.expires_at AS "expiresAt" FROM device_login AS login
  JOIN agent ON agent.workspace_id = login.workspace_id AND agent.id = login.agent_id
  WHERE login.workspace_id = $1::uuid AND login.user_code = $2::bytea AND login.state = 'waiting'
    AND login.expires_at > clock_timestamp() AND agent.retired_at IS NULL
    AND EXISTS (SELECT FROM agent_key AS key WHERE key.workspace_id = login.workspace_id AND key.agent_id = login.agent_id
      AND left(encode(sha256(key.key_sha256), 'hex'), 32) = login.key_fingerprint AND key.revoked_at IS NULL
      AND (key.expires_at IS NULL OR key.expires_at > clock_timestamp()))`;

/** The login with this short code, while it waits and the key that asked is valid. */
export async function findWaiting(pool: Pool, workspaceId: string, userCode: Buffer): Promise<WaitingRow | null> {
  const values = [workspaceId, userCode];
  const { rows } = await pool.query<WaitingRow>({ name: "waiting_login", text: WAITING, values });
  return rows[0] ?? null;
}

/** The same, locked. Lock the agent first, so that all transactions lock in one order. */
export async function findWaitingForUpdate(tx: Tx, workspaceId: string, userCode: Buffer): Promise<WaitingRow | null> {
  const [row] = await tx.$queryRawUnsafe<WaitingRow[]>(`${WAITING} FOR UPDATE OF login`, workspaceId, userCode);
  return row ?? null;
}

export interface Decision {
  readonly state: "confirmed" | "refused";
  readonly accountId: string;
  readonly principalId: string | null;
  readonly replacedId: string | null;
}

export async function saveDecision(tx: Tx, workspaceId: string, id: string, decision: Decision): Promise<void> {
  const { state, accountId, principalId, replacedId } = decision;
  await tx.$executeRaw`
    UPDATE device_login SET state = ${state}, decided_by = ${accountId}::uuid, decided_at = clock_timestamp(),
      principal_id = ${principalId}::uuid, replaced_id = ${replacedId}::uuid
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}
