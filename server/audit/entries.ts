import { z } from "zod";

/**
 * What the audit chain may say. Append-only: an entry outlives its shape, so each kind carries a version and a changed
 * shape is a new version beside the old one.
 */
const by = z.string();
export const auditEntry = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("workspace_created"), version: z.literal(1), by, name: z.string() }),
  z.strictObject({ kind: z.literal("sign_in_link_created"), version: z.literal(1), by }),
  z.strictObject({ kind: z.literal("signed_in"), version: z.literal(1), by }),
  z.strictObject({ kind: z.literal("agent_created"), version: z.literal(1), by, agent: z.string(), name: z.string() }),
  z.strictObject({
    kind: z.literal("agent_key_created"),
    version: z.literal(1),
    by,
    agent: z.string(),
    key: z.string(),
  }),
  z.strictObject({
    kind: z.literal("agent_key_revoked"),
    version: z.literal(1),
    by,
    agent: z.string(),
    key: z.string(),
  }),
  z.strictObject({
    kind: z.literal("policy_created"),
    version: z.literal(1),
    by,
    policy: z.string(),
    name: z.string(),
  }),
  /** The policy's draft is now the pack's text. `from` is 0 when the policy was made of the pack. */
  z.strictObject({
    kind: z.literal("policy_pack_taken"),
    version: z.literal(1),
    by,
    policy: z.string(),
    pack: z.string(),
    from: z.number(),
    to: z.number(),
  }),
  z.strictObject({
    kind: z.literal("policy_published"),
    version: z.literal(1),
    by,
    policy: z.string(),
    revision: z.number(),
    sha256: z.string(),
    note: z.string(),
  }),
  z.strictObject({
    kind: z.literal("policy_deleted"),
    version: z.literal(1),
    by,
    policy: z.string(),
    name: z.string(),
  }),
  z.strictObject({
    kind: z.literal("policy_assigned"),
    version: z.literal(1),
    by,
    policy: z.string(),
    scope: z.enum(["workspace", "agent", "nobody"]),
    agents: z.array(z.string()),
  }),
  /** What was set, never the credential itself. */
  z.strictObject({
    kind: z.literal("model_connection_saved"),
    version: z.literal(1),
    by,
    connection: z.string(),
    name: z.string(),
    provider: z.string(),
    baseUrl: z.string(),
    credential: z.enum(["kept", "set", "removed"]),
    callsPerDay: z.number().nullable(),
    nanoPerDay: z.string().nullable(),
    prices: z.number(),
  }),
  z.strictObject({
    kind: z.literal("model_connection_removed"),
    version: z.literal(1),
    by,
    connection: z.string(),
    name: z.string(),
  }),
  z.strictObject({
    kind: z.literal("judge_cap_set"),
    version: z.literal(1),
    by,
    policy: z.string(),
    hook: z.string(),
    callsPerDay: z.number().nullable(),
    nanoPerDay: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal("hook_tried"),
    version: z.literal(1),
    by,
    policy: z.string(),
    revision: z.number(),
    hook: z.string(),
  }),
  z.strictObject({ kind: z.literal("demo_removed"), version: z.literal(1), by }),
  /** One per committed batch of dispatches: `sha256` covers every row of it, in order. */
  z.strictObject({
    kind: z.literal("dispatches_recorded"),
    version: z.literal(1),
    count: z.number(),
    sha256: z.string(),
  }),
]);
export type AuditEntry = z.infer<typeof auditEntry>;
