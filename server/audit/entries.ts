import { z } from "zod";

/**
 * What the audit chain may say. Append-only: an entry outlives its shape, so each kind carries a version and a changed
 * shape is a new version beside the old one.
 */
const by = z.string();
const published = {
  kind: z.literal("policy_published"),
  by,
  policy: z.string(),
  revision: z.number(),
  sha256: z.string(),
  note: z.string(),
};
export const auditEntry = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("workspace_created"), version: z.literal(1), by, name: z.string() }),
  z.strictObject({ kind: z.literal("sign_in_link_created"), version: z.literal(1), by }),
  z.strictObject({ kind: z.literal("signed_in"), version: z.literal(1), by }),
  z.strictObject({
    kind: z.literal("role_changed"),
    version: z.literal(1),
    by,
    person: z.string(),
    name: z.string(),
    from: z.string(),
    to: z.string(),
  }),
  z.strictObject({
    kind: z.literal("person_removed"),
    version: z.literal(1),
    by,
    person: z.string(),
    name: z.string(),
    role: z.string(),
  }),
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
    kind: z.literal("review_requested"),
    version: z.literal(1),
    by,
    policy: z.string(),
    review: z.string(),
    sha256: z.string(),
    base: z.number(),
  }),
  z.strictObject({
    kind: z.literal("review_decided"),
    version: z.literal(1),
    by,
    policy: z.string(),
    review: z.string(),
    sha256: z.string(),
    outcome: z.enum(["approved", "changes_requested", "withdrawn"]),
  }),
  z.strictObject({
    kind: z.literal("review_commented"),
    version: z.literal(1),
    by,
    policy: z.string(),
    review: z.string(),
    comment: z.string(),
  }),
  /** `asked`: who wanted it off before somebody else, `by`, agreed; null when it was switched on. */
  z.strictObject({
    kind: z.literal("four_eyes_set"),
    version: z.literal(1),
    by,
    policy: z.string(),
    isOn: z.boolean(),
    asked: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  }),
  z.strictObject({
    kind: z.literal("four_eyes_off_asked"),
    version: z.literal(1),
    by,
    policy: z.string(),
    isWithdrawn: z.boolean(),
  }),
  z.discriminatedUnion("version", [
    z.strictObject({ ...published, version: z.literal(1) }),
    /** `override`: published in spite of these failing test cases. `review`: who else had approved the text. */
    z.strictObject({
      ...published,
      version: z.literal(2),
      override: z
        .strictObject({
          reason: z.string(),
          cases: z.array(z.strictObject({ case: z.string(), name: z.string() })),
        })
        .nullable(),
      review: z.strictObject({ id: z.string(), by: z.string(), name: z.string() }).nullable(),
    }),
  ]),
  z.strictObject({
    kind: z.literal("policy_case_saved"),
    version: z.literal(1),
    by,
    policy: z.string(),
    case: z.string(),
    name: z.string(),
  }),
  z.strictObject({
    kind: z.literal("policy_case_deleted"),
    version: z.literal(1),
    by,
    policy: z.string(),
    case: z.string(),
    name: z.string(),
  }),
  z.strictObject({
    kind: z.literal("policy_deleted"),
    version: z.literal(1),
    by,
    policy: z.string(),
    name: z.string(),
  }),
  z.discriminatedUnion("version", [
    z.strictObject({
      kind: z.literal("policy_assigned"),
      version: z.literal(1),
      by,
      policy: z.string(),
      scope: z.enum(["workspace", "agent", "nobody"]),
      agents: z.array(z.string()),
    }),
    /** A policy may be bound to groups and agents side by side. */
    z.strictObject({
      kind: z.literal("policy_assigned"),
      version: z.literal(2),
      by,
      policy: z.string(),
      scope: z.enum(["workspace", "chosen", "nobody"]),
      groups: z.array(z.string()),
      agents: z.array(z.string()),
    }),
  ]),
  /** Which policies come first for this target; `target` is null for the workspace. */
  z.strictObject({
    kind: z.literal("policies_ordered"),
    version: z.literal(1),
    by,
    scope: z.enum(["workspace", "group", "agent"]),
    target: z.string().nullable(),
    policies: z.array(z.string()),
  }),
  /** Another published revision was put in force. `duringFreeze` is why, when the workspace was frozen. */
  z.strictObject({
    kind: z.literal("policy_rolled_back"),
    version: z.literal(1),
    by,
    policy: z.string(),
    from: z.number(),
    to: z.number(),
    duringFreeze: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal("policy_canary_set"),
    version: z.literal(1),
    by,
    policy: z.string(),
    revision: z.number(),
    share: z.number(),
    group: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal("policy_canary_ended"),
    version: z.literal(1),
    by,
    policy: z.string(),
    revision: z.number(),
    outcome: z.enum(["promoted", "abandoned"]),
    duringFreeze: z.string().nullable(),
  }),
  /** `until` is null when it is enforced again. */
  z.strictObject({
    kind: z.literal("policy_observed"),
    version: z.literal(1),
    by,
    policy: z.string(),
    assignments: z.array(z.string()),
    until: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("workspace_frozen"), version: z.literal(1), by, reason: z.string() }),
  z.strictObject({ kind: z.literal("workspace_thawed"), version: z.literal(1), by, since: z.string() }),
  z.strictObject({ kind: z.literal("group_created"), version: z.literal(1), by, group: z.string(), name: z.string() }),
  z.strictObject({
    kind: z.literal("group_renamed"),
    version: z.literal(1),
    by,
    group: z.string(),
    from: z.string(),
    to: z.string(),
  }),
  z.strictObject({ kind: z.literal("group_deleted"), version: z.literal(1), by, group: z.string(), name: z.string() }),
  z.strictObject({
    kind: z.literal("group_members_set"),
    version: z.literal(1),
    by,
    group: z.string(),
    agents: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal("groups_ordered"), version: z.literal(1), by, groups: z.array(z.string()) }),
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
  z.discriminatedUnion("version", [
    z.strictObject({ kind: z.literal("demo_removed"), version: z.literal(1), by }),
    /** `count` of its dispatches are held no more. */
    z.strictObject({ kind: z.literal("demo_removed"), version: z.literal(2), by, count: z.number() }),
  ]),
  /** One per committed batch of dispatches: `sha256` covers every row of it, in order. */
  z.discriminatedUnion("version", [
    z.strictObject({
      kind: z.literal("dispatches_recorded"),
      version: z.literal(1),
      count: z.number(),
      sha256: z.string(),
    }),
    /** `leaves` holds the leaf of every row (leaf.ts), 43 characters each, in order; `batch` finds the rows. */
    z.strictObject({
      kind: z.literal("dispatches_recorded"),
      version: z.literal(2),
      batch: z.string(),
      count: z.number(),
      leaves: z.string(),
      earliest: z.string(),
      latest: z.string(),
    }),
  ]),
  /** A checkpoint was signed with a key that had not signed before. */
  z.strictObject({ kind: z.literal("checkpoint_key_used"), version: z.literal(1), key: z.string() }),
  z.strictObject({ kind: z.literal("checkpoints_configured"), version: z.literal(1), by }),
  z.strictObject({ kind: z.literal("retention_set"), version: z.literal(1), by }),
  /** Rows that occurred before `before` are held no more; `unproven` of them were from before leaves. */
  z.strictObject({
    kind: z.literal("dispatches_dropped"),
    version: z.literal(1),
    before: z.string(),
    count: z.number(),
    unproven: z.number(),
  }),
  /** Rows of another kind than dispatches, dropped by retention. */
  z.strictObject({
    kind: z.literal("data_dropped"),
    version: z.literal(1),
    data: z.string(),
    before: z.string(),
    count: z.number(),
  }),
  z.strictObject({
    kind: z.literal("hold_placed"),
    version: z.literal(1),
    by,
    hold: z.string(),
    reason: z.string(),
    agent: z.string().nullable(),
    session: z.string().nullable(),
    from: z.string().nullable(),
    to: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("hold_released"), version: z.literal(1), by, hold: z.string(), reason: z.string() }),
  /** The content of these dispatches is gone: their ids, 32 hex digits each. */
  z.strictObject({
    kind: z.literal("content_erased"),
    version: z.literal(1),
    by,
    reason: z.string(),
    session: z.string().nullable(),
    person: z.string().nullable(),
    dispatches: z.string(),
  }),
  /** Inputs are stored unmasked until then; null: masked again. */
  z.strictObject({
    kind: z.literal("raw_capture_set"),
    version: z.literal(1),
    by,
    until: z.string().nullable(),
    reason: z.string(),
  }),
]);
export type AuditEntry = z.infer<typeof auditEntry>;
