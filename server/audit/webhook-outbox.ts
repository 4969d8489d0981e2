/**
 * The webhook deliveries of a change, written in the transaction of the change: one for each webhook that subscribes to
 * the kind.
 */
import type { AuditEntry } from "./entries.ts";
import { WEBHOOK_KIND_NAMES, WEBHOOK_KINDS, type WebhookKind } from "./webhook-kinds-schema.ts";

/** Writes the deliveries. Parameters: those of `webhookDeliveryParameters`. */
export const INSERT_WEBHOOK_DELIVERIES_SQL = `
  INSERT INTO webhook_delivery (workspace_id, id, webhook_id, kind, body)
  SELECT workspace_id, gen_random_uuid(), id, $2::text, $3::text FROM webhook
  WHERE workspace_id = $1::uuid AND is_enabled AND $2::text = ANY (kinds)`;

/** The shape of the Standard Webhooks specification: a type, a time, and the data. */
export function webhookDeliveryParameters(
  workspaceId: string,
  kind: WebhookKind | "test" | "approval.summary",
  data: object,
  at = new Date(),
) {
  return [
    workspaceId,
    kind,
    JSON.stringify({ type: kind, timestamp: at.toISOString(), workspace: workspaceId, data }),
  ] as const;
}

const KIND_OF: ReadonlyMap<string, WebhookKind> = new Map(
  WEBHOOK_KIND_NAMES.flatMap((kind) => WEBHOOK_KINDS[kind].entries.map((entry) => [entry, kind])),
);

/** Null for entries that are not sent to webhooks. */
export const webhookKindOf = ({ kind }: AuditEntry): WebhookKind | null => KIND_OF.get(kind) ?? null;
