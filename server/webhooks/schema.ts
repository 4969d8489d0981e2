import { z } from "zod";
import { WEBHOOK_KIND_NAMES, type WebhookKind } from "../audit/webhook-kinds-schema.ts";

export const WEBHOOKS_MAX = 20;
/** The longest time that a former secret may go on signing. */
export const OVERLAP_HOURS_MAX = 168;

/** The format of deliveries: our JSON, or a chat message. */
export const WEBHOOK_SHAPES = ["json", "slack", "teams"] as const;
export const webhookShape = z.enum(WEBHOOK_SHAPES);
export type WebhookShape = z.infer<typeof webhookShape>;

const webhookKind = z.enum(WEBHOOK_KIND_NAMES);
const webhookId = z.strictObject({ id: z.uuid() });

export const saveWebhook = z.strictObject({
  /** Absent for a new one. */
  id: z.uuid().optional(),
  url: z.string().trim().min(1, "Enter an address.").max(500, "An address has at most 500 characters."),
  kinds: z
    .array(webhookKind)
    .min(1, "Choose at least one event.")
    .transform((kinds) => [...new Set(kinds)].sort()),
  shape: webhookShape.default("json"),
  isEnabled: z.boolean(),
});
export type SaveWebhook = z.infer<typeof saveWebhook>;

/** The secret of a new webhook: it is shown only now. */
export const saveWebhookResult = webhookId.extend({ secret: z.string().nullable() });
export type SaveWebhookResult = z.infer<typeof saveWebhookResult>;

export const webhookById = webhookId;
export type WebhookById = z.infer<typeof webhookById>;

export const rotateSecret = webhookId.extend({ overlapHours: z.number().int().min(0).max(OVERLAP_HOURS_MAX) });
export type RotateSecret = z.infer<typeof rotateSecret>;
export const rotatedSecret = z.strictObject({ secret: z.string() });

export const DELIVERY_STATES = ["waiting", "delivered", "dead", "discarded"] as const;
const deliveryState = z.enum(DELIVERY_STATES);

export const webhookView = webhookId.extend({
  url: z.string(),
  /** Kinds that this version does not know are omitted. */
  kinds: z.array(webhookKind),
  shape: webhookShape,
  isEnabled: z.boolean(),
  secretSetAt: z.date(),
  /** Until when a former secret signs too. */
  formerUntil: z.date().nullable(),
  waiting: z.number(),
  dead: z.number(),
  updatedAt: z.date(),
  updatedBy: z.string(),
});
export type WebhookView = z.infer<typeof webhookView>;

/** The outcome of one attempt: the answer's status, or the error without an answer. */
const attempt = z.strictObject({ status: z.number().nullable(), error: z.string().nullable() });
export const testedWebhook = attempt;
export type TestedWebhook = z.infer<typeof testedWebhook>;

const place = z.strictObject({ at: z.date(), id: z.uuid() });

export const listDeliveries = z.strictObject({
  webhookId: z.uuid().optional(),
  state: deliveryState.optional(),
  cursor: place.nullish(),
  /** React Query names the way it pages; there is only one here. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(100).default(30),
});
export type ListDeliveries = z.infer<typeof listDeliveries>;

export const deliveryView = attempt.extend({
  id: z.uuid(),
  webhookId: z.uuid(),
  host: z.string(),
  kind: z.string(),
  at: z.date(),
  state: deliveryState,
  attempts: z.number(),
  attemptedAt: z.date().nullable(),
  /** Null when none is to come. */
  nextAt: z.date().nullable(),
  body: z.string(),
});
export type DeliveryView = z.infer<typeof deliveryView>;
export const deliveryPage = z.strictObject({ rows: z.array(deliveryView), next: place.nullable() });
export type DeliveryPage = z.infer<typeof deliveryPage>;

/** One that failed for good, or all of them. */
export const resolveDead = z.strictObject({ act: z.enum(["retried", "discarded"]), id: z.uuid().nullable() });
export type ResolveDead = z.infer<typeof resolveDead>;
export const resolvedDead = z.strictObject({ count: z.number() });

export const isWebhookKind = (kind: string): kind is WebhookKind => WEBHOOK_KIND_NAMES.some((name) => name === kind);
