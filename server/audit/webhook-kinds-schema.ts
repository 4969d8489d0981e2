/**
 * The kinds of events that webhooks can subscribe to, and the audit entries that report them. A kind without entries is
 * reported by the code that detects it, through `server/audit/webhook-outbox.ts`.
 */
export const WEBHOOK_KINDS = {
  "policy.published": {
    says: "A policy was published or rolled back",
    entries: ["policy_published", "policy_rolled_back"],
  },
  "policy.deleted": { says: "A policy was deleted", entries: ["policy_deleted"] },
  "four_eyes.overridden": {
    says: "A person took the emergency path past four eyes or publish requirements",
    entries: ["four_eyes_overridden", "publish_requirements_overridden"],
  },
  "workspace.frozen": { says: "The workspace was frozen or thawed", entries: ["workspace_frozen", "workspace_thawed"] },
  "agent_key.created": {
    says: "An agent key was made or replaced",
    entries: ["agent_key_created", "agent_key_rotated"],
  },
  "agent_key.revoked": { says: "An agent key was revoked", entries: ["agent_key_revoked"] },
  "approval.denied": { says: "Calls were denied: once a minute at most, with counts by agent", entries: [] },
  "approval.requested": { says: "A call waits for a person to answer", entries: [] },
  "approval.reminded": { says: "A call still waits for a person to answer", entries: [] },
  "approval.escalated": { says: "A call that nobody answered is asked of the next people", entries: [] },
  "approval.answered": { says: "A person answered a call", entries: [] },
  "approval.lapsed": { says: "Nobody answered a call in time, so it was denied", entries: [] },
  "exception.lapsed": { says: "An exception lapsed and waits for a review", entries: [] },
  "budget.crossed": { says: "A budget crossed a threshold, or is used up", entries: [] },
  "alert.fired": { says: "An alert fires", entries: [] },
  "alert.resolved": { says: "An alert stopped firing", entries: [] },
  notice: { says: "A notice for people who chose this webhook, or for a team of an alert route", entries: [] },
  "audit.checkpoint": { says: "A checkpoint of the record was signed", entries: [] },
} as const satisfies Record<string, { readonly says: string; readonly entries: readonly string[] }>;

export type WebhookKind = keyof typeof WEBHOOK_KINDS;
// Holds: the keys of an object literal of this module.
export const WEBHOOK_KIND_NAMES = Object.keys(WEBHOOK_KINDS) as [WebhookKind, ...WebhookKind[]];
