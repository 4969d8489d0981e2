import { appendAudit } from "../audit/record-audit.ts";
import type { PoolClient } from "../platform/db.ts";
import type { LapsedRow } from "./repository.ts";

/** One entry for all that lapsed in the caller's transaction. */
export function appendLapses(client: PoolClient, workspaceId: string, rows: readonly LapsedRow[]): Promise<void> {
  const approvals = rows.map(({ id, number }) => ({ approval: id, number }));
  return appendAudit(client, workspaceId, { kind: "approvals_lapsed", version: 1, approvals });
}
