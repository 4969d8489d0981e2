/** The entries about the record itself and what leaves the workspace. */
import { z } from "zod";
import { entry, number, ownEntry, text } from "./entry-shape.ts";

export const RECORD_ENTRIES = [
  /** Days are counted in `timeZone` from `fromDay` on; null: a pending change was withdrawn, and the zone stays. */
  entry("time_zone_set", { timeZone: text, before: text, fromDay: text.nullable() }),
  /** The routes of alerts to teams; people, groups and webhooks by their ids. */
  entry("alert_routes_set", {
    routes: z.array(
      z.strictObject({
        ...{ team: text, groupId: text.nullable(), from: text, people: z.array(text), webhookId: text.nullable() },
      }),
    ),
  }),
  /** Calls were assigned to a person; null: to no one any more. `occurredAt` and `dispatch` name the first of `count`. */
  entry("calls_assigned", { person: text.nullable(), count: number, occurredAt: text, dispatch: text }),
  /** The owner of a rule and its ticket from now on; null: none. */
  entry("rule_owner_set", { policy: text, event: text, hook: text, person: text.nullable(), ticket: text.nullable() }),
  entry("view_shared", { page: text, name: text, query: text }),
  entry("view_unshared", { page: text, name: text }),
  z.discriminatedUnion("version", [
    entry("demo_removed", {}),
    /** `count` of its dispatches were removed. */
    entry("demo_removed", { count: number }, 2),
    /** The number of its removed dispatches by UTC day (`2026-11-23`). */
    entry("demo_removed", { count: number, days: z.record(text, number) }, 3),
  ]),
  /**
   * One per committed batch of dispatches: `sha256` covers every row of it, in order. Newer batches are in
   * `chain_batch` (chain-batch.ts).
   */
  z.discriminatedUnion("version", [
    ownEntry("dispatches_recorded", { count: number, sha256: text }),
    /**
     * `leaves` holds the leaf of every row (leaf.ts), 43 characters each, in order; `batch` identifies the rows. Since
     * version 3, leaves cover facts.
     */
    ownEntry("dispatches_recorded", { batch: text, count: number, leaves: text, earliest: text, latest: text }, 2, 3),
  ]),
  /** A checkpoint was signed with a key that had not signed before. */
  ownEntry("checkpoint_key_used", { key: text }),
  entry("checkpoints_configured", {}),
  entry("retention_set", {}),
  /** Rows that occurred before `before` were removed; `unproven` of them are older than leaves. */
  ownEntry("dispatches_dropped", { before: text, count: number, unproven: number }),
  /** Rows of another kind than dispatches, dropped by retention. */
  ownEntry("data_dropped", { data: text, before: text, count: number }),
  /** The figures of a day were recomputed from its log: the numbers of rows compared, different and not rebuilt. */
  ownEntry("projections_checked", {
    day: text,
    state: z.enum(["equal", "different", "gone", "older"]),
    dispatches: number,
    compared: number,
    differing: number,
    older: number,
  }),
  /**
   * The figures of a day before its log was removed: rows and digest of each derived table, with the version of its
   * rule; the result of their check against the log, and the number of the chain up to which they were complete.
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
  /** The content of these dispatches was erased: their ids, 32 hex digits each. */
  z.discriminatedUnion("version", [
    entry("content_erased", { reason: text, session: text.nullable(), person: text.nullable(), dispatches: text }),
    /** Holds no names, since the chain cannot forget. At most 1,000 dispatches. */
    entry("content_erased", { reason: text, request: text, dispatches: text }, 2),
  ]),
  entry("erasure_requested", { request: text, reason: text }),
  /**
   * The erasure is complete for its time: erased dispatches, copies derived from them, and dispatches that a hold
   * keeps.
   */
  ownEntry("erasure_finished", { request: text, erased: number, copies: number, held: number }),
  /** Later reports of it are stored again. */
  entry("erasure_withdrawn", { request: text }),
  /** Inputs are stored unmasked until then; null: masked again. */
  entry("raw_capture_set", { until: text.nullable(), reason: text }),
  /**
   * The workspace's own masking from now on, and what it no longer masks. Patterns by name and digest: the chain cannot forget, and a
   * pattern may be the word that it hides. `reason`: a weaker one without a second person; `asked`: who asked for a weaker one.
   */
  entry("masking_set", {
    patterns: z.array(z.strictObject({ name: text, sha256: text })),
    fields: z.array(text),
    detectors: z.array(text),
    loses: z.array(text),
    reason: text.nullable(),
    asked: z.strictObject({ id: text, name: text }).nullable(),
  }),
  /** A weaker masking waits for a second person, or its author withdrew it. */
  entry("masking_change_asked", { loses: z.array(text), isWithdrawn: z.boolean() }),
  entry("masking_change_declined", { loses: z.array(text) }),
  /** Names the host only: the rest of the address may be secret. */
  entry("webhook_saved", { webhook: text, host: text, kinds: z.array(text), isEnabled: z.boolean() }),
  entry("webhook_removed", { webhook: text, host: text }),
  /** The hours during which the former secret also signs. */
  entry("webhook_secret_rotated", { webhook: text, host: text, overlapHours: number }),
  /** Deliveries that had failed for good are tried again, or given up. */
  entry("webhook_deliveries_settled", {
    act: z.enum(["retried", "discarded"]),
    webhook: text.nullable(),
    count: number,
  }),
  /** Names the host only. `receiver`: the type of system; `events`: the kinds of events. */
  entry("stream_saved", {
    ...{ stream: text, name: text, receiver: text, host: text, format: text, masking: text, events: z.array(text) },
    ...{ isEnabled: z.boolean(), secret: z.enum(["kept", "set", "none"]) },
  }),
  entry("stream_removed", { stream: text, name: text, host: text }),
  /** Sends again from another entry of the chain. */
  entry("stream_rewound", { stream: text, name: text, from: number, to: number }),
  /** Events that a receiver had refused, sent once more. `removed`: by retention before. */
  entry("stream_events_resent", {
    ...{ stream: text, name: text, accepted: number, refused: number, removed: number },
  }),
  entry("alert_saved", { alert: text, name: text, measure: text }),
  entry("alert_removed", { alert: text, name: text }),
  /** Null: the snooze was ended. */
  entry("alert_snoozed", { alert: text, name: text, until: text.nullable() }),
] as const;
