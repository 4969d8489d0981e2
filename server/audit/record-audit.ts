import type { Actor } from "../access/actor.ts";
import type { Tx } from "../platform/db.ts";
import { auditTargetOf } from "./audit-target.ts";
import { canonicalJson, canonicalTextParts, type EntryFrom } from "./chain.ts";
import type { Changes } from "./diff-fields.ts";
import { type AuditEntry, auditEntry } from "./entries.ts";
import { INSERT_WEBHOOK_DELIVERIES_SQL, webhookDeliveryParameters, webhookKindOf } from "./webhook-outbox.ts";

/**
 * The part of a statement that gives an entry its place in the chain: locks the workspace's head, so entries of concurrent
 * transactions queue, numbers and dates them there, so that both only grow, and chains by hash in the database, so no node
 * keeps the head in memory. Parameters: the workspace first, and from number `first` on the four of `canonicalTextParts`.
 * With a `condition` on the head that does not hold, there is no place.
 */
export const advanceHeadSql = (first: number, condition = ""): string => `head AS (
    UPDATE audit_head SET seq = audit_head.seq + 1, at = greatest(clock.now, audit_head.at),
      hash = sha256(convert_to($${first}::text
        || to_char(greatest(clock.now, audit_head.at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        || $${first + 1}::text || encode(audit_head.hash, 'hex') || $${first + 2}::text
        || (audit_head.seq + 1)::text || $${first + 3}::text, 'UTF8'))
    FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock
    WHERE workspace_id = $1::uuid ${condition} RETURNING seq, audit_head.at, hash
  )`;

/** Appends one entry. Without a head it fails: the entry has no number. Parameters: those of `auditParameters`. */
export const APPEND_AUDIT_SQL = `
  WITH ${advanceHeadSql(4)}
  INSERT INTO audit_entry (workspace_id, seq, at, kind, body, hash, chain_version,
    actor_kind, actor_id, actor_name, ip, user_agent, target, changes)
  SELECT $1::uuid, head.seq, coalesce(head.at, clock_timestamp()), $2::text, $3::text, head.hash, 2,
    $8::text, $9::text, $10::text, $11::text, $12::text, $13::text, $14::text
  FROM (SELECT 1) AS once LEFT JOIN head ON true`;

/** The actor of an entry: somebody, or by a workspace's id the server itself. */
export type Acting = Pick<Actor, "kind" | "id" | "name" | "workspaceId" | "from"> | string;

/** The parameters of `APPEND_AUDIT_SQL` for one entry. */
export function auditParameters(who: Acting, entry: AuditEntry, changes?: Changes): (string | null)[] {
  const actor = typeof who === "string" ? null : { id: who.id, kind: who.kind, name: who.name };
  const from = typeof who === "string" ? null : knownClientOf(who);
  const workspace = typeof who === "string" ? who : who.workspaceId;
  const { kind } = entry;
  const body = canonicalJson(auditEntry.parse(entry));
  const target = auditTargetOf(entry);
  const changed = changes === undefined || Object.keys(changes).length === 0 ? null : canonicalJson(changes);
  const parts = canonicalTextParts({
    actor,
    body,
    changes: changed,
    from,
    kind,
    target,
    workspace,
  });
  const whose = [
    actor?.kind ?? null,
    actor?.id ?? null,
    actor?.name ?? null,
    from?.ip ?? null,
    from?.userAgent ?? null,
  ];
  return [workspace, kind, body, ...parts, ...whose, target, changed];
}

/** Appends `entry` in the caller's transaction: the change and its record share one fate. */
export async function recordAudit(tx: Tx, who: Acting, entry: AuditEntry, changes?: Changes): Promise<void> {
  const parameters = auditParameters(who, entry, changes);
  const written = await tx.$executeRawUnsafe(APPEND_AUDIT_SQL, ...parameters);
  const [workspaceId = null] = parameters;
  if (written !== 1) throw new Error(`no audit head for workspace ${workspaceId}`);
  // The message for the bus of every node (server/live), this one's too: nobody sent it.
  const message = JSON.stringify({ node: "", workspace: workspaceId, topics: ["audit"] });
  await tx.$executeRaw`SELECT pg_notify('quarterdeck', ${message})`;
  const kind = webhookKindOf(entry);
  if (kind !== null && workspaceId !== null)
    await tx.$executeRawUnsafe(INSERT_WEBHOOK_DELIVERIES_SQL, ...webhookDeliveryParameters(workspaceId, kind, entry));
}

/** Null where nothing is known: a place of two unknowns is stored as none. */
function knownClientOf({ from }: Pick<Actor, "from">): EntryFrom | null {
  if (from === undefined || (from.ip === null && from.userAgent === null)) return null;
  return { ip: from.ip, userAgent: from.userAgent };
}
