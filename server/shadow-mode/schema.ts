import { z } from "zod";
import { monitoredRuleView, ruleName } from "../policies/assignments/monitored-rule-schema.ts";
import { policyById } from "../policies/schema.ts";
import { storedHooks } from "../recording/schema.ts";

export const OBSERVATIONS_PAGE = 50;

const cursor = z.strictObject({ occurredAt: z.date(), dispatchId: z.uuid() });

export const listObservations = policyById.extend({
  /** Only what would have been decided more strictly; all that any hook of it ran for otherwise. */
  onlyStricter: z.boolean().default(true),
  /** A monitored rule; the policy observed as a whole when null. */
  rule: ruleName.nullable().default(null),
  cursor: cursor.nullable().default(null),
  /** React Query names the way it pages; there is only one. */
  direction: z.literal("forward").optional(),
});
export type ListObservations = z.infer<typeof listObservations>;

/** The verdict that a policy would have given, with the actual one. */
export const observationView = z.strictObject({
  occurredAt: z.date(),
  dispatchId: z.uuid(),
  revision: z.number(),
  agentName: z.string(),
  event: z.string(),
  toolName: z.string().nullable(),
  /** The verdict that the policy would have given. */
  verdict: z.string(),
  /** The actual verdict. */
  decided: z.string(),
  isStricter: z.boolean(),
  reason: z.string(),
  hooks: storedHooks,
  /** True if the dispatch is on the Calls page. */
  isDecision: z.boolean(),
});
export type ObservationView = z.infer<typeof observationView>;

export const observationsPage = z.strictObject({
  rows: z.array(observationView),
  next: cursor.nullable(),
});
export type ObservationsPage = z.infer<typeof observationsPage>;

const counts = {
  /** Gate calls of the agents that it only observes, those that were dropped left out. */
  gates: z.number(),
  /** The number of these calls for which any of its hooks ran. */
  judged: z.number(),
  /** The number of calls that it would have denied, or asked a person about, and that went through. */
  denied: z.number(),
  asked: z.number(),
  /** Calls in which a hook of it failed. */
  failed: z.number(),
  /** Calls dropped for lack of capacity: the policy's verdict is unknown. */
  dropped: z.number(),
};

/** The results of observing a policy since it began, counted by whole hours. */
export const observedSums = z.strictObject({
  policyId: z.uuid(),
  name: z.string(),
  since: z.date(),
  until: z.date(),
  ...counts,
});
export type ObservedSums = z.infer<typeof observedSums>;

/** The same for a rule in monitor mode: only calls of its event count. */
export const monitoredRuleSums = monitoredRuleView.extend({
  policyId: z.uuid(),
  /** The policy's name. */
  name: z.string(),
  ...counts,
});
export type MonitoredRuleSums = z.infer<typeof monitoredRuleSums>;

export const observationsOfDispatch = z.strictObject({ occurredAt: z.date(), id: z.uuid() });
export type ObservationsOfDispatch = z.infer<typeof observationsOfDispatch>;

export const DISPATCH_OBSERVATIONS_MAX = 50;

/** The verdict that an observed policy or rule would have given on one dispatch. */
export const dispatchObservation = z.strictObject({
  policyId: z.uuid(),
  policy: z.string(),
  /** "" for the whole policy. */
  rule: z.string(),
  verdict: z.string(),
  decided: z.string(),
  isStricter: z.boolean(),
  reason: z.string(),
});
export type DispatchObservation = z.infer<typeof dispatchObservation>;
