/** The stored settings of the record. */
import type { Pool, Tx } from "../platform/db.ts";
import type { HoldView, RetentionDays, RetentionKind, SetCheckpoints } from "./schema.ts";
import { RETENTION_KINDS } from "./schema.ts";

export async function findCheckpointSetting(tx: Tx, workspaceId: string): Promise<SetCheckpoints> {
  const [row] = await tx.$queryRaw<SetCheckpoints[]>`
    SELECT checkpoint_entries AS entries, checkpoint_seconds AS seconds, webhook_url AS "webhookUrl"
    FROM record_setting WHERE workspace_id = ${workspaceId}::uuid`;
  return row ?? { entries: 1_000, seconds: 300, webhookUrl: null };
}

export async function setCheckpoints(tx: Tx, workspaceId: string, to: SetCheckpoints): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO record_setting (workspace_id, checkpoint_entries, checkpoint_seconds, webhook_url)
    VALUES (${workspaceId}::uuid, ${to.entries}, ${to.seconds}, ${to.webhookUrl})
    ON CONFLICT (workspace_id) DO UPDATE SET checkpoint_entries = excluded.checkpoint_entries,
      checkpoint_seconds = excluded.checkpoint_seconds, webhook_url = excluded.webhook_url`;
}

const FOREVER: RetentionDays = { dispatches: null, activity: null, judge_calls: null, figures: null };

export async function findRetention(db: Pool, workspaceId: string): Promise<RetentionDays> {
  const { rows } = await db.query<{ kind: RetentionKind; days: number }>(
    "SELECT kind, days FROM retention WHERE workspace_id = $1",
    [workspaceId],
  );
  return { ...FOREVER, ...Object.fromEntries(rows.map(({ kind, days }) => [kind, days])) };
}

export async function setRetention(tx: Tx, workspaceId: string, to: RetentionDays): Promise<void> {
  await tx.$executeRaw`DELETE FROM retention WHERE workspace_id = ${workspaceId}::uuid`;
  for (const kind of RETENTION_KINDS) {
    const days = to[kind];
    if (days !== null)
      await tx.$executeRaw`INSERT INTO retention (workspace_id, kind, days) VALUES (${workspaceId}::uuid, ${kind}, ${days})`;
  }
}

const HOLD = `hold.id, hold.reason, hold.agent_id AS "agentId", agent.name AS "agentName", hold.session_id AS "sessionId",
  hold.from_at AS "from", hold.to_at AS "to", hold.created_at AS "createdAt", hold.created_by AS "createdBy"`;

/** Those that stand. */
export async function listHolds(db: Pool, workspaceId: string): Promise<HoldView[]> {
  const { rows } = await db.query<HoldView>(
    `SELECT ${HOLD} FROM legal_hold AS hold
     LEFT JOIN agent ON agent.workspace_id = hold.workspace_id AND agent.id = hold.agent_id
     WHERE hold.workspace_id = $1 AND hold.released_at IS NULL ORDER BY hold.created_at DESC LIMIT 200`,
    [workspaceId],
  );
  return rows;
}

export async function insertHold(
  tx: Tx,
  workspaceId: string,
  hold: Omit<HoldView, "agentName" | "createdAt">,
): Promise<void> {
  const { id, reason, agentId, sessionId, from, to, createdBy } = hold;
  await tx.$executeRaw`
    INSERT INTO legal_hold (workspace_id, id, reason, agent_id, session_id, from_at, to_at, created_by)
    VALUES (${workspaceId}::uuid, ${id}::uuid, ${reason}, ${agentId}::uuid, ${sessionId}, ${from}, ${to}, ${createdBy})`;
}

/** Its reason; null when none of this id stands. */
export async function releaseHold(tx: Tx, workspaceId: string, id: string, by: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ reason: string }[]>`
    UPDATE legal_hold SET released_at = now(), released_by = ${by}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND released_at IS NULL RETURNING reason`;
  return row?.reason ?? null;
}

export async function findRaw(db: Pool, workspaceId: string): Promise<{ until: Date | null; reason: string | null }> {
  const { rows } = await db.query<{ until: Date | null; reason: string | null }>(
    "SELECT raw_until AS until, raw_reason AS reason FROM record_setting WHERE workspace_id = $1 AND raw_until > now()",
    [workspaceId],
  );
  return rows[0] ?? { until: null, reason: null };
}

/** The workspaces with raw capture, with its end: a node needs them to decide about masking. */
export async function listRaw(db: Pool): Promise<{ workspaceId: string; until: Date }[]> {
  const { rows } = await db.query<{ workspaceId: string; until: Date }>(
    `SELECT workspace_id AS "workspaceId", raw_until AS until FROM record_setting WHERE raw_until > now()`,
  );
  return rows;
}

export async function setRaw(tx: Tx, workspaceId: string, until: Date | null, reason: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO record_setting (workspace_id, raw_until, raw_reason) VALUES (${workspaceId}::uuid, ${until}, ${reason})
    ON CONFLICT (workspace_id) DO UPDATE SET raw_until = excluded.raw_until, raw_reason = excluded.raw_reason`;
}
