import { appendAudit } from "../audit/record-audit.ts";
import type { PoolClient } from "../platform/db.ts";
import { holdNotices } from "./notices-repository.ts";
import type { LapsedRow } from "./repository.ts";

/** Writes one audit entry for all requests that lapsed in the caller's transaction, and a notice for each. */
export async function appendLapses(client: PoolClient, workspaceId: string, rows: readonly LapsedRow[]): Promise<void> {
  const approvals = rows.map(({ id, number }) => ({ approval: id, number }));
  await appendAudit(client, workspaceId, { kind: "approvals_lapsed", version: 1, approvals });
  const ids = rows.map(({ id }) => id);
  await holdNotices(client, workspaceId, "approval.lapsed", ids);
}
