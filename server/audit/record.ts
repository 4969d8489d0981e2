import type { Tx } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import { type AuditEntry, auditEntry } from "./entries.ts";

/**
 * The statement that appends one entry: locks the workspace's head, so entries of concurrent transactions queue, and
 * chains by hash in the database, so no node keeps the head in memory. Without a head it fails: the entry has no number.
 * Parameters: workspace id, kind, body (canonical JSON text), sha256 of the body.
 */
export const APPEND_AUDIT_SQL = `
  WITH head AS (
    UPDATE audit_head SET seq = seq + 1, hash = sha256(hash || $4::bytea)
    WHERE workspace_id = $1::uuid RETURNING seq, hash
  )
  INSERT INTO audit_entry (workspace_id, seq, kind, body, hash)
  SELECT $1::uuid, head.seq, $2::text, $3::text, head.hash FROM (SELECT 1) AS once LEFT JOIN head ON true`;

/** The four parameters of `APPEND_AUDIT_SQL` for one entry. */
export function auditParameters(workspaceId: string, entry: AuditEntry): [string, string, string, Buffer] {
  const body = JSON.stringify(auditEntry.parse(entry));
  return [workspaceId, entry.kind, body, sha256(body)];
}

/** Appends `entry` in the caller's transaction: the change and its record share one fate. */
export async function recordAudit(tx: Tx, workspaceId: string, entry: AuditEntry): Promise<void> {
  const written = await tx.$executeRawUnsafe(APPEND_AUDIT_SQL, ...auditParameters(workspaceId, entry));
  if (written !== 1) throw new Error(`no audit head for workspace ${workspaceId}`);
}
