/**
 * The webhook deliveries of a change, written in the transaction of the change: one for each webhook that asked for the
 * kind. Without one, nothing is written.
 */
import type { AuditEntry } from "./entries.ts";
import { OUTSIDE_KIND_NAMES, OUTSIDE_KINDS, type OutsideKind } from "./schema.ts";

/** Writes the deliveries. Parameters: those of `outboxParameters`. */
export const OUTBOX_SQL = `
  INSERT INTO webhook_delivery (workspace_id, id, webhook_id, kind, body)
  SELECT workspace_id, gen_random_uuid(), id, $2::text, $3::text FROM webhook
  WHERE workspace_id = $1::uuid AND is_enabled AND $2::text = ANY (kinds)`;

/** The shape of the Standard Webhooks specification: a type, a time, and the data. */
export function outboxParameters(workspaceId: string, kind: OutsideKind | "test", data: object, at = new Date()) {
  return [
    workspaceId,
    kind,
    JSON.stringify({ type: kind, timestamp: at.toISOString(), workspace: workspaceId, data }),
  ] as const;
}

const KIND_OF: ReadonlyMap<string, OutsideKind> = new Map(
  OUTSIDE_KIND_NAMES.flatMap((kind) => OUTSIDE_KINDS[kind].entries.map((entry) => [entry, kind])),
);

/** Null for the many acts that concern nobody outside. */
export const outsideKindOf = ({ kind }: AuditEntry): OutsideKind | null => KIND_OF.get(kind) ?? null;
