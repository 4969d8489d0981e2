import { z } from "zod";

const text = z.string();
const number = z.number();

/** An entry that the server makes by itself. */
function ownEntry<Kind extends string, Fields extends z.ZodRawShape, Version extends number = 1>(
  kind: Kind,
  fields: Fields,
  ...versions: Version[]
) {
  // Holds: without one it is the default of the type.
  return z.strictObject({
    kind: z.literal(kind),
    version: z.literal(versions.length > 0 ? versions : [1 as Version]),
    ...fields,
  });
}

/** An entry of an act; `by` names who acted. */
function entry<Kind extends string, Fields extends z.ZodRawShape, Version extends number = 1>(
  kind: Kind,
  fields: Fields,
  ...versions: Version[]
) {
  return ownEntry(kind, { by: text, ...fields }, ...versions);
}

const riskClass = z.enum(["low", "medium", "high", "critical"]);

const haltFields = {
  halt: text,
  scope: z.enum(["workspace", "group", "agent", "session"]),
  about: text,
  isQuarantine: z.boolean(),
  group: text.optional(),
  agent: text.optional(),
  session: text.optional(),
  reason: text,
};
const tokenFields = { token: text, name: text, group: text.nullable(), usesMax: number, expiresAt: text };
const published = { policy: text, revision: number, sha256: text, note: text };

/**
 * The entries that the audit chain may hold. Append-only: an entry outlives its shape, so each kind carries a version and a changed
 * shape is a new version beside the old one. In what is chained the names of people give way to their ids, and the key `names` is added
 * (person-names.ts).
 */
export const auditEntry = z.discriminatedUnion("kind", [
  entry("workspace_created", { name: text }),
  entry("sign_in_link_created", {}),
  entry("signed_in", {}),
  entry("role_changed", { person: text, name: text, from: text, to: text }),
  entry("person_removed", { person: text, name: text, role: text }),
  /** A sign-in, or a change of how somebody proves who they are. */
  entry("account_used", {
    person: text,
    act: z.enum([
      "signed_in",
      "signed_out_elsewhere",
      "password_set",
      "password_changed",
      "password_reset",
      "reset_link_created",
      "second_factor_on",
      "second_factor_off",
      "recovery_codes_renewed",
      "renamed",
      "address_proven",
      "confirmed",
      "confirmation_failed",
    ]),
    how: text,
  }),
  entry("invitation_created", { invitation: text, email: text, role: text }),
  entry("invitation_withdrawn", { invitation: text, email: text }),
  entry("invitation_accepted", { invitation: text, person: text, email: text, role: text }),
  entry("service_created", { service: text, name: text, role: text }),
  entry("service_removed", { service: text, name: text }),
  entry("service_token_created", { service: text, token: text, expiresAt: text }),
  entry("service_token_revoked", { service: text, token: text }),
  /** The provider's secret is named, never shown. */
  entry("sign_on_saved", { issuer: text, clientId: text, secret: z.enum(["kept", "set"]) }),
  entry("sign_on_removed", {}),
  entry("mail_saved", { host: text, from: text, password: z.enum(["kept", "set", "none"]) }),
  entry("agent_created", { agent: text, name: text }),
  entry("agent_renamed", { agent: text, from: text, to: text }),
  entry("agent_retired", { agent: text, name: text }),
  entry("agent_restored", { agent: text, name: text }),
  /** Its row, its keys and its memberships; what it did and cost stays. */
  entry("agent_removed", { agent: text, name: text }),
  z.discriminatedUnion("version", [
    entry("agent_key_created", { agent: text, key: text }),
    entry("agent_key_created", { agent: text, key: text, scopes: z.array(text), expiresAt: text.nullable() }, 2),
  ]),
  entry("agent_key_rotated", { agent: text, key: text, next: text, oldEndsAt: text }),
  entry("agent_key_revoked", { agent: text, key: text }),
  z.discriminatedUnion("version", [
    entry("enrolment_token_created", tokenFields),
    entry("enrolment_token_created", { ...tokenFields, tags: z.array(text) }, 2),
  ]),
  entry("enrolment_token_revoked", { token: text, name: text }),
  /** Beside the entries of the agent and of its key, which the same exchange made. */
  entry("enrolment_token_used", { token: text, name: text, agent: text, agentName: text }),
  /** A nonce was given out: calls under it are in no figure, and this says that there may be some, reported or not. */
  entry("agent_drill_begun", {
    ...{ agent: text, name: text, drill: text },
    mode: z.enum(["liveness", "outage"]),
  }),
  /** Known-bad calls through a client's own hooks, as its machine reported them and the gate saw them. */
  entry("agent_drilled", {
    ...{ agent: text, name: text, drill: text, client: text },
    ...{ mode: z.enum(["liveness", "outage"]), calls: number, blocked: number },
  }),
  entry("policy_created", { policy: text, name: text }),
  /** The policy's draft is now the pack's text. `from` is 0 when the policy was made of the pack. */
  entry("policy_pack_taken", { policy: text, pack: text, from: number, to: number }),
  entry("review_requested", { policy: text, review: text, sha256: text, base: number }),
  entry("review_decided", {
    policy: text,
    review: text,
    sha256: text,
    outcome: z.enum(["approved", "changes_requested", "withdrawn"]),
  }),
  entry("review_commented", { policy: text, review: text, comment: text }),
  /** `asked`: who wanted it off before somebody else, `by`, agreed; null when it was switched on. */
  entry("four_eyes_set", {
    policy: text,
    isOn: z.boolean(),
    asked: z.strictObject({ id: text, name: text }).nullable(),
  }),
  entry("four_eyes_off_asked", { policy: text, isWithdrawn: z.boolean() }),
  /** A change of what binds agents, asked of a second person. `change` names the request. */
  entry("binding_change_requested", { change: text, policies: z.array(text), summary: text, note: text }),
  entry("binding_change_decided", {
    change: text,
    policies: z.array(text),
    summary: text,
    outcome: z.enum(["approved", "declined", "withdrawn", "applied"]),
  }),
  /** Made by one person where two are asked for. */
  entry("four_eyes_overridden", { change: text, policies: z.array(text), summary: text, reason: text }),
  z.discriminatedUnion("version", [
    entry("policy_published", published),
    /** `override`: published in spite of these failing test cases. `review`: who else had approved the text. */
    entry(
      "policy_published",
      {
        ...published,
        override: z
          .strictObject({
            reason: text,
            cases: z.array(z.strictObject({ case: text, name: text })),
          })
          .nullable(),
        review: z.strictObject({ id: text, by: text, name: text }).nullable(),
      },
      2,
    ),
  ]),
  entry("policy_case_saved", { policy: text, case: text, name: text }),
  entry("policy_case_deleted", { policy: text, case: text, name: text }),
  entry("judge_prompt_created", { prompt: text, name: text }),
  entry("judge_prompt_published", { prompt: text, name: text, revision: number, sha256: text, note: text }),
  entry("judge_prompt_deleted", { prompt: text, name: text }),
  /** Questions to a model that cost money; `revision` 0 is a draft, `nanoMax` null a model without a price. */
  entry("judge_trial_started", {
    prompt: text,
    trial: text,
    revision: number,
    sha256: text,
    calls: number,
    repeats: number,
    callsMax: number,
    nanoMax: text.nullable(),
  }),
  /** A person's label for a judge's answer; `expected` null when the label was taken back. */
  entry("judge_answer_labelled", {
    prompt: text.nullable(),
    subject: text,
    word: z.enum(["right", "too_strict", "too_loose"]).nullable(),
    expected: z.enum(["allow", "ask", "deny"]).nullable(),
  }),
  entry("policy_deleted", { policy: text, name: text }),
  z.discriminatedUnion("version", [
    entry("policy_assigned", { policy: text, scope: z.enum(["workspace", "agent", "nobody"]), agents: z.array(text) }),
    /** A policy may be bound to groups and agents side by side. */
    entry(
      "policy_assigned",
      { policy: text, scope: z.enum(["workspace", "chosen", "nobody"]), groups: z.array(text), agents: z.array(text) },
      2,
    ),
    /** And to tags. */
    entry(
      "policy_assigned",
      {
        ...{ policy: text, scope: z.enum(["workspace", "chosen", "nobody"]) },
        ...{ tags: z.array(text), groups: z.array(text), agents: z.array(text) },
      },
      3,
    ),
  ]),
  /** The order of the policies for this target; `target` is null for the workspace. */
  entry("policies_ordered", {
    scope: z.enum(["workspace", "tag", "group", "agent"]),
    target: text.nullable(),
    policies: z.array(text),
  }),
  /** Another published revision was put in force. `duringFreeze` is why, when the workspace was frozen. */
  entry("policy_rolled_back", { policy: text, from: number, to: number, duringFreeze: text.nullable() }),
  entry("policy_canary_set", { policy: text, revision: number, share: number, group: text.nullable() }),
  entry("policy_canary_ended", {
    policy: text,
    revision: number,
    outcome: z.enum(["promoted", "abandoned"]),
    duringFreeze: text.nullable(),
  }),
  /** `until` is null when it is enforced again. */
  entry("policy_observed", { policy: text, assignments: z.array(text), until: text.nullable() }),
  entry("workspace_frozen", { reason: text }),
  entry("workspace_thawed", { since: text }),
  entry("group_created", { group: text, name: text }),
  entry("group_renamed", { group: text, from: text, to: text }),
  entry("group_deleted", { group: text, name: text }),
  entry("group_members_set", { group: text, agents: z.array(text) }),
  /** `pattern` is null when the group's agents are listed by hand from then on; its agents are in an entry of their own. */
  entry("group_pattern_set", { group: text, pattern: text.nullable() }),
  /** An agent was made, renamed or brought back, and its name put it into groups and took it out of others. */
  entry("agent_regrouped", { agent: text, joined: z.array(text), left: z.array(text) }),
  entry("groups_ordered", { groups: z.array(text) }),
  /** The settings of a connection, never the credential itself. */
  entry("model_connection_saved", {
    connection: text,
    name: text,
    provider: text,
    baseUrl: text,
    credential: z.enum(["kept", "set", "removed"]),
    callsPerDay: number.nullable(),
    nanoPerDay: text.nullable(),
    prices: number,
  }),
  entry("model_connection_removed", { connection: text, name: text }),
  /** Dollars in digits; `from` is null for a call that had no cost. */
  entry("call_corrected", {
    entry: text,
    dispatch: text,
    occurredAt: text,
    from: text.nullable(),
    to: text,
    reason: text,
  }),
  entry("prices_saved", { list: number, prices: number, sha256: text, note: text }),
  /** Calls without a cost are estimated with this version from then on. */
  entry("estimation_begun", { list: number }),
  entry("statement_closed", { month: text, sha256: text }),
  /** Days are counted in `timeZone` from `fromDay` on; null: a change that had not taken effect was taken back, and it stays. */
  entry("time_zone_set", { timeZone: text, before: text, fromDay: text.nullable() }),
  entry("agent_tagged", { agent: text, tags: z.array(text) }),
  /** `about`: the name of the group or agent, or the session's id; empty for the workspace. */
  entry("halted", haltFields),
  entry("halt_resumed", haltFields),
  /** A call that people are asked about; the request's number is this entry's. The agent asked, so nobody's name stands here. */
  ownEntry("approval_requested", {
    approval: text,
    agent: text,
    tool: text,
    inputSha256: text,
    isWaiting: z.boolean(),
    peopleNeeded: number,
    riskClass: riskClass.optional(),
  }),
  /** The rules about who answers which calls, and what happens meanwhile; people by their ids. */
  entry("approver_rules_set", {
    toolRisks: z.array(z.strictObject({ tool: text, risk: riskClass })),
    twoPeopleFrom: riskClass.nullable(),
    confirmFrom: riskClass.nullable(),
    remindAfterSeconds: number.nullable(),
    lists: z.array(z.strictObject({ name: text, from: riskClass, people: z.array(text), forSeconds: number })),
  }),
  /** The routes of alerts to teams; people, groups and webhooks by their ids. */
  entry("alert_routes_set", {
    routes: z.array(
      z.strictObject({
        ...{ team: text, groupId: text.nullable(), from: text, people: z.array(text), webhookId: text.nullable() },
      }),
    ),
  }),
  /** Nobody had answered them, so people were reminded. */
  ownEntry("approvals_reminded", { approvals: z.array(z.strictObject({ approval: text, number })) }),
  /** Nobody had answered them, so the next list is asked too. */
  ownEntry("approvals_escalated", { approvals: z.array(z.strictObject({ approval: text, number, to: text })) }),
  /** `isLast`: it settled the request. `edited`: the sha256 of the input that is to run instead. */
  entry("approval_answered", {
    approval: text,
    number,
    agent: text,
    outcome: z.enum(["allow", "deny"]),
    words: text,
    isLast: z.boolean(),
    edited: text.nullable(),
  }),
  ownEntry("approvals_lapsed", { approvals: z.array(z.strictObject({ approval: text, number })) }),
  /** An allowed call that was not made yet is not allowed any more. */
  entry("approval_withdrawn", { approval: text, number, agent: text }),
  /**
   * `rules`: those whose verdicts on its calls are lifted, denials too where it says so. Without a command, exactly the input of the
   * request `number`, or of the denied call `dispatch`. The exception's number, EX-n, is this entry's.
   */
  entry("exception_made", {
    exception: text,
    number: number.nullable(),
    scope: z.enum(["workspace", "group", "agent", "session"]),
    about: text,
    tool: text,
    inputSha256: text.nullable(),
    command: z.array(text).nullable(),
    rules: z.array(z.strictObject({ policy: text, path: text, sha256: text })),
    expiresAt: text,
    reason: text,
    lifts: z.enum(["question", "verdict"]).optional(),
    dispatch: text.optional(),
  }),
  /** `owner`: the id of the person who is asked to review it; empty where nobody knows. */
  ownEntry("exceptions_lapsed", {
    exceptions: z.array(z.strictObject({ exception: text, number: number.nullable(), owner: text })),
  }),
  entry("exception_reviewed", { exception: text, number: number.nullable(), words: text }),
  entry("exception_ended", { exception: text, number: number.nullable(), about: text, reason: text }),
  entry("view_shared", { page: text, name: text, query: text }),
  entry("view_unshared", { page: text, name: text }),
  entry("judge_cap_set", { policy: text, hook: text, callsPerDay: number.nullable(), nanoPerDay: text.nullable() }),
  /** Amounts are nano-dollars in digits. */
  entry("budget_saved", {
    budget: text,
    name: text,
    scope: z.enum(["workspace", "group", "agent", "model", "session"]),
    about: text,
    period: z.enum(["day", "month", "total"]),
    amountNano: text,
    reserveNano: text.nullable(),
    thresholds: z.array(number),
    isHard: z.boolean(),
    unpriced: z.enum(["deny", "count", "pass"]),
  }),
  entry("budget_removed", { budget: text, name: text }),
  /** A call that was let through and never reported its cost: somebody says that it cost nothing. */
  entry("budget_reservation_released", { budget: text, name: text, request: text, nano: text }),
  /** Of calls that nothing was heard of, together. */
  entry("budget_reservations_released", { budget: text, name: text, madeBefore: text, count: number, nano: text }),
  entry("hook_tried", { policy: text, revision: number, hook: text }),
  z.discriminatedUnion("version", [
    entry("demo_removed", {}),
    /** `count` of its dispatches are held no more. */
    entry("demo_removed", { count: number }, 2),
    /** So many of its dispatches of each UTC day (`2026-11-23`) are held no more. */
    entry("demo_removed", { count: number, days: z.record(text, number) }, 3),
  ]),
  /** One per committed batch of dispatches: `sha256` covers every row of it, in order. Written to `chain_batch` now (chain-batch.ts). */
  z.discriminatedUnion("version", [
    ownEntry("dispatches_recorded", { count: number, sha256: text }),
    /** `leaves` holds the leaf of every row (leaf.ts), 43 characters each, in order; `batch` finds the rows. From version 3 on leaves cover facts. */
    ownEntry("dispatches_recorded", { batch: text, count: number, leaves: text, earliest: text, latest: text }, 2, 3),
  ]),
  /** A checkpoint was signed with a key that had not signed before. */
  ownEntry("checkpoint_key_used", { key: text }),
  entry("checkpoints_configured", {}),
  entry("retention_set", {}),
  /** Rows that occurred before `before` are held no more; `unproven` of them were from before leaves. */
  ownEntry("dispatches_dropped", { before: text, count: number, unproven: number }),
  /** Rows of another kind than dispatches, dropped by retention. */
  ownEntry("data_dropped", { data: text, before: text, count: number }),
  /** The figures of a day were computed anew from its log: how many rows were compared, differ and could not be rebuilt. */
  ownEntry("projections_checked", {
    day: text,
    state: z.enum(["equal", "different", "gone", "older"]),
    dispatches: number,
    compared: number,
    differing: number,
    older: number,
  }),
  /**
   * The figures of a day as they were when its log was about to go: rows and digest of each derived table, with the version of the
   * rule that made them; what their check against the log came to, and up to which number the chain was in them.
   */
  ownEntry("projections_sealed", {
    day: text,
    upTo: number,
    state: z.enum(["equal", "different", "older", "unchecked"]),
    differing: number,
    tables: z.array(z.strictObject({ table: text, fold: number, rows: number, sha256: text })),
  }),
  entry("hold_placed", {
    hold: text,
    reason: text,
    agent: text.nullable(),
    session: text.nullable(),
    from: text.nullable(),
    to: text.nullable(),
  }),
  entry("hold_released", { hold: text, reason: text }),
  /** The content of these dispatches is gone: their ids, 32 hex digits each. */
  z.discriminatedUnion("version", [
    entry("content_erased", { reason: text, session: text.nullable(), person: text.nullable(), dispatches: text }),
    /** Names nobody: the chain cannot forget. At most 1,000 dispatches. */
    entry("content_erased", { reason: text, request: text, dispatches: text }, 2),
  ]),
  entry("erasure_requested", { request: text, reason: text }),
  /** Everything that stood at the time is erased: dispatches, rows made of them, and dispatches that a hold keeps. */
  ownEntry("erasure_finished", { request: text, erased: number, copies: number, held: number }),
  /** From now on reports of it are stored again. */
  entry("erasure_withdrawn", { request: text }),
  /** Inputs are stored unmasked until then; null: masked again. */
  entry("raw_capture_set", { until: text.nullable(), reason: text }),
  /** By its host: the rest of the address may be secret. */
  entry("webhook_saved", { webhook: text, host: text, kinds: z.array(text), isEnabled: z.boolean() }),
  entry("webhook_removed", { webhook: text, host: text }),
  /** The former secret signs beside the new one for so long. */
  entry("webhook_secret_rotated", { webhook: text, host: text, overlapHours: number }),
  /** Deliveries that had failed for good are tried again, or given up. */
  entry("webhook_deliveries_settled", {
    act: z.enum(["retried", "discarded"]),
    webhook: text.nullable(),
    count: number,
  }),
  entry("alert_saved", { alert: text, name: text, measure: text }),
  entry("alert_removed", { alert: text, name: text }),
  /** Null: it is told of again. */
  entry("alert_snoozed", { alert: text, name: text, until: text.nullable() }),
]);
export type AuditEntry = z.infer<typeof auditEntry>;
