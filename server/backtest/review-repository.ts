/** The statements of the review of a run. */
import type { Tx } from "../platform/db.ts";
import type { BacktestById } from "./run-schema.ts";

export interface ReviewedRunRow {
  readonly sha256: string;
  readonly state: string;
  readonly askedAt: Date;
  readonly askedById: string;
  readonly tally: unknown;
  readonly fourEyes: boolean;
}

export async function findForUpdate(
  tx: Tx,
  workspaceId: string,
  { policyId, runId }: BacktestById,
): Promise<ReviewedRunRow | null> {
  const [row] = await tx.$queryRaw<ReviewedRunRow[]>`
    SELECT run.sha256, run.state, run.asked_at AS "askedAt", run.asked_by_id AS "askedById", run.tally, policy.four_eyes AS "fourEyes"
    FROM backtest_run AS run JOIN policy ON policy.workspace_id = run.workspace_id AND policy.id = run.policy_id
    WHERE run.workspace_id = ${workspaceId}::uuid AND run.policy_id = ${policyId}::uuid AND run.id = ${runId}::uuid
      AND run.live_percent IS NULL
    FOR UPDATE OF run`;
  return row ?? null;
}

/** The people whose text is in the policy's draft. */
export function listEditors(tx: Tx, workspaceId: string, policyId: string): Promise<{ actorId: string }[]> {
  return tx.policyDraftEditor.findMany({ where: { workspaceId, policyId }, select: { actorId: true } });
}

export async function updateReviewed(
  tx: Tx,
  workspaceId: string,
  runId: string,
  by: { readonly id: string; readonly name: string; readonly isSecondPerson: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE backtest_run SET reviewed_at = clock_timestamp(), reviewed_by = ${by.name}, reviewed_by_id = ${by.id},
      reviewed_by_second = ${by.isSecondPerson}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${runId}::uuid`;
}
