import { z } from "zod";
import { decisionKey } from "../decisions/schema.ts";

/** The limits of one backtest: the number of recorded events, their age, and the time that it may last. */
export const IMPACT_LIMITS = { eventsMax: 500, days: 7, budgetMs: 20_000 } as const;

/** The text to compare with what is in force: a draft or a text under review. */
export const backtestTarget = z.strictObject({
  policyId: z.uuid(),
  of: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("draft"), version: z.number().int().min(0).max(2_147_483_647) }),
    z.strictObject({ kind: z.literal("review"), reviewId: z.uuid() }),
  ]),
});
export type BacktestTarget = z.infer<typeof backtestTarget>;

/** A pack, on what every agent did in the last 24 hours. */
export const measurePack = z.strictObject({ packId: z.string().min(1).max(64) });
export type MeasurePack = z.infer<typeof measurePack>;

const verdict = z.enum(["allow", "ask", "deny", "none"]);
export type ImpactVerdict = z.infer<typeof verdict>;

export const changedEvent = decisionKey.extend({
  agentName: z.string(),
  event: z.string(),
  tool: z.string(),
  /** The argument a person reads first; the beginning of the input where it is no tool call. */
  excerpt: z.string(),
  /** True if the event is in the list of decisions. */
  isDecision: z.boolean(),
  /** The reason that the new text gives. */
  reason: z.string(),
  /** Equal calls; the newest is shown. */
  count: z.number(),
  /** Those that were denied when they happened, by anything in force then. */
  alreadyDenied: z.number(),
});
export type ChangedEvent = z.infer<typeof changedEvent>;

/** One way in which events end otherwise. With equal verdicts, what else is answered differs: arguments, context, messages. */
export const impactChange = z.strictObject({
  from: verdict,
  to: verdict,
  count: z.number(),
  /** The events that were denied when they happened, by anything in force then. */
  alreadyDenied: z.number(),
  /** The first few, equal calls as one. */
  events: z.array(changedEvent),
});
export type ImpactChange = z.infer<typeof impactChange>;

export const impactView = z.strictObject({
  /** The start of the sampled period. */
  since: z.date(),
  /** Events of the agents that the policy binds, sampled across tools. */
  sampled: z.number(),
  /** The sampled events that select at least one hook of the text. With 0 the effect of the text is unknown. */
  reached: z.number(),
  /** The reached events whose early-lane hooks ran on the default lane's record of the same call. */
  replayed: z.number(),
  /**
   * The events that match a hook of the early lane but would not reach it, because their agents do not ask through that
   * lane.
   */
  neverEarly: z.number(),
  /** The first rules that no sampled event selects, with the missing part. */
  unreached: z.array(z.strictObject({ rule: z.string(), why: z.string() })),
  unreachedCount: z.number(),
  /** The same events by call: one call may pass several gates, and has several records. */
  calls: z.strictObject({
    /** Tool calls, and events that are no tool call: a prompt, a model call, a compaction. */
    tools: z.number(),
    others: z.number(),
    /** Those that select at least one hook of the text. */
    reached: z.number(),
    /** Those that would end so, each under its strictest end. */
    denied: z.number(),
    asked: z.number(),
    unknown: z.number(),
  }),
  unchanged: z.number(),
  changes: z.array(impactChange),
  /** The events whose outcome cannot be known by running hooks here, by reason. */
  unknown: z.array(z.strictObject({ why: z.string(), count: z.number() })),
  /** Sampled events that were not run before the time limit. */
  notReached: z.number(),
  /** The number of command runs in the sandbox. */
  commandsRun: z.number(),
  durationMs: z.number(),
});
export type ImpactView = z.infer<typeof impactView>;

export const impactProgress = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("progress"), done: z.number(), of: z.number() }),
  z.strictObject({ kind: z.literal("measured"), view: impactView }),
]);
export type ImpactProgress = z.infer<typeof impactProgress>;
