/** Tool calls with all that was decided about them. */
import { z } from "zod";
import { DECISION_KINDS, decisionKey, decisionView } from "./schema.ts";

/** One verdict over a call: of policies here, or of the agent in the end. */
export const callDecision = z.strictObject({
  occurredAt: z.date(),
  id: z.uuid(),
  kind: z.enum(DECISION_KINDS),
  event: z.string(),
  verdict: z.string(),
  source: z.string(),
  reason: z.string(),
});
export type CallDecision = z.infer<typeof callDecision>;

/** A call in the place of its earliest decision that matches, with every decision over it, the earliest first. */
export const callView = decisionView.extend({
  chain: z.array(callDecision),
  /** The tool's end as the agent reported it; null when it reported none. */
  ran: z.enum(["succeeded", "failed"]).nullable(),
});
export type CallView = z.infer<typeof callView>;

export const callPage = z.strictObject({
  rows: z.array(callView),
  /** Null at the end of the range. */
  nextCursor: decisionKey.nullable(),
  /** Set when the search stopped at its limit before the page was full: how many decisions it read, and how far it came. */
  searched: z.strictObject({ rows: z.number(), until: z.date() }).nullable(),
});
export type CallPage = z.infer<typeof callPage>;

/** The newest decisions of a range that are read for its counts. */
export const COUNTED_DECISIONS_MAX = 10_000;
export const CALL_FACETS = ["verdict", "by", "policy", "rule", "group", "agent", "tool", "source", "session"] as const;
export type CallFacet = (typeof CALL_FACETS)[number];

/** Calls by value: of every field the calls that the filters on the other fields find. */
export const callFacets = z.strictObject({
  /** The calls that all filters find. */
  calls: z.number(),
  /** False when the range holds more decisions than were read: every count is a least one then. */
  isWhole: z.boolean(),
  values: z.record(z.enum(CALL_FACETS), z.array(z.strictObject({ value: z.string(), count: z.number() }))),
});
export type CallFacets = z.infer<typeof callFacets>;

/** Final decisions over time, from the sums of the record. */
export const callSeries = z.strictObject({
  from: z.date(),
  to: z.date(),
  bucketMs: z.number(),
  points: z.array(
    z.strictObject({
      at: z.date(),
      allowed: z.number(),
      denied: z.number(),
      canceled: z.number(),
      /** Calls about which a person was about to be asked; each is in one of the others too, once it has ended. */
      asked: z.number(),
      /** Denials by policies. */
      deniedByPolicy: z.number(),
    }),
  ),
});
export type CallSeries = z.infer<typeof callSeries>;
