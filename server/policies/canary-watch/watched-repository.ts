/** The canaries with limits, and what their watcher noted on them. */
import type { Pool, Tx } from "../../platform/db.ts";

export interface WatchedRow {
  readonly workspaceId: string;
  readonly policyId: string;
}

/** Takes canaries that were last checked before the instant: no other node takes them before the next one. */
export async function claimDue(pool: Pool, before: Date, now: Date, limit: number): Promise<readonly WatchedRow[]> {
  const { rows } = await pool.query<WatchedRow>(
    `UPDATE policy SET canary_checked_at = $2 WHERE (workspace_id, id) IN (
       SELECT workspace_id, id FROM policy WHERE canary_limits IS NOT NULL
         AND (canary_checked_at IS NULL OR canary_checked_at <= $1)
       ORDER BY canary_checked_at NULLS FIRST LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING workspace_id AS "workspaceId", id AS "policyId"`,
    [before, now, limit],
  );
  return rows;
}

export interface Noted {
  readonly comparison?: string;
  readonly fault: string | null;
}

/** Notes the last comparison, if the canary is still the same. */
export async function note(
  pool: Pool,
  { workspaceId, policyId }: WatchedRow,
  since: Date | null,
  { comparison, fault }: Noted,
): Promise<void> {
  await pool.query(
    `UPDATE policy SET canary_comparison = coalesce($4, canary_comparison), canary_fault = $5
     WHERE workspace_id = $1 AND id = $2 AND canary_limits IS NOT NULL AND ($3::timestamptz IS NULL OR canary_since = $3)`,
    [workspaceId, policyId, since, comparison ?? null, fault],
  );
}

/** Keeps the withdrawal for the policy's page, until the next canary or revision in force. */
export async function updateWithdrawal(tx: Tx, workspaceId: string, id: string, withdrawal: string): Promise<void> {
  await tx.policy.update({ where: { workspaceId_id: { workspaceId, id } }, data: { canaryWithdrawal: withdrawal } });
}

/** The canaries with limits whose last check is older than the instant, or failed. */
export function listUnchecked(tx: Tx, workspaceId: string, before: Date) {
  return tx.policy.findMany({
    where: {
      workspaceId,
      canaryLimits: { not: null },
      OR: [
        { canaryFault: { not: null } },
        { canaryCheckedAt: { lt: before } },
        { canaryCheckedAt: null, canarySince: { lt: before } },
      ],
    },
    select: { name: true, canaryFault: true, canaryCheckedAt: true },
    orderBy: { name: "asc" },
    take: 100,
  });
}
