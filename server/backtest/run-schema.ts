/** Backtests that run as jobs: their inputs and their results. */
import { z } from "zod";
import { decisionKey } from "../decisions/schema.ts";
import { policyName, policySource } from "../policies/schema.ts";
import { backtestSample, NO_SAMPLE, sampleView } from "./sampling/sample-schema.ts";
import { tally } from "./tally-schema.ts";

export const RUN_LIMITS = {
  daysMax: 90,
  /** The calls of a quick run, which the publish dialog starts. */
  quickCalls: 5_000,
  quickDays: 30,
  /** Flips that a run keeps; all of them are counted. */
  flipsKept: 10_000,
  /** Runs of a workspace that wait or run. */
  openMax: 20,
  listed: 50,
  groups: 50,
  page: 1_000,
} as const;

const days = z.number().int().min(1).max(RUN_LIMITS.daysMax);
export const startBacktest = z.strictObject({
  policyId: z.uuid(),
  draftVersion: z.number().int().min(0).max(2_147_483_647),
  days,
  /** Only the newest 5,000 calls. */
  isQuick: z.boolean().default(false),
  sample: backtestSample.default(NO_SAMPLE),
});
export type StartBacktest = z.input<typeof startBacktest>;

/** A text in the place of the policy's draft. The draft stays as it is. */
export const startTextBacktest = z.strictObject({
  policy: z.union([z.strictObject({ id: z.uuid() }), z.strictObject({ name: policyName })]),
  source: policySource,
  days,
  sample: backtestSample.default(NO_SAMPLE),
});
export type StartTextBacktest = z.input<typeof startTextBacktest>;
/** A text to run on the newest calls, unless it was: the policy's draft, or one of its revisions. */
export const backtestText = z.strictObject({
  policyId: z.uuid(),
  of: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("draft"), version: z.number().int().min(0).max(2_147_483_647) }),
    z.strictObject({ kind: z.literal("revision"), number: z.number().int().min(1).max(2_147_483_647) }),
  ]),
});
export type BacktestText = z.infer<typeof backtestText>;

export const backtestById = z.strictObject({ policyId: z.uuid(), runId: z.uuid() });
export type BacktestById = z.infer<typeof backtestById>;
export const backtestsOf = z.strictObject({ policyId: z.uuid() });

export const runState = z.enum(["waiting", "running", "following", "finished", "canceled", "failed"]);

/** The part of a run that only live tests have. */
export const liveRun = z.object({
  /** The processor time that it may use, in percent of one processor. */
  percent: z.number(),
  /** Null: until a person stops it. */
  until: z.date().nullable(),
  /** Calls that were not looked at, because the processor time was used up. */
  skipped: z.number(),
  /** Changes of the policies in force since the start. */
  changes: z.number(),
});

export const backtestRun = z.object({
  id: z.uuid(),
  policyId: z.uuid(),
  policyName: z.string(),
  sha256: z.string(),
  days: z.number(),
  callsMax: z.number().nullable(),
  state: runState,
  /** The reason for a failure or for the end of a live test; else empty. */
  says: z.string(),
  askedBy: z.string(),
  askedAt: z.date(),
  startedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  /** Runs read backwards: calls before this instant are not read yet. */
  readBackTo: z.date().nullable(),
  /** The calls to read, counted at the start; null where counting took too long. */
  total: z.number().nullable(),
  looked: z.number(),
  tally,
  /** Milliseconds until it ends at the present speed; null where that is not known. */
  remainingMs: z.number().nullable(),
  /** The cost that the text's judges add to a day, in nano-dollars; null if a price or the number of days is not known. */
  addedNanoPerDay: z.bigint().nullable(),
  /** Added time of a call, in microseconds: upper bounds. */
  addedP50Us: z.number().nullable(),
  addedP95Us: z.number().nullable(),
  /** True if the text is still the policy's draft. */
  isDraft: z.boolean(),
  /** True if it compares with the policies that are in force now. */
  isCurrent: z.boolean(),
  /** The person who accepted its looser and unknown calls; null without a review. */
  reviewedBy: z.string().nullable(),
  reviewedAt: z.date().nullable(),
  /** Null for a backtest of recorded calls. */
  live: liveRun.nullable(),
  /** Null without a sample, and in lists. */
  sample: sampleView.nullable(),
});
export type BacktestRunView = z.infer<typeof backtestRun>;

/** Calls that would be asked about or denied where they were not, of the kept flips. */
export const newVerdictsView = z.object({
  asked: z.number(),
  denied: z.number(),
  /** Those denied on the day with the most of them. */
  deniedOfDay: z.number(),
});
export type NewVerdictsView = z.infer<typeof newVerdictsView>;

const verdict = z.enum(["none", "allow", "ask", "deny"]);
export const flipGroup = z.enum(["rule", "agent", "tag", "tool", "family", "session"]);
export type FlipGroup = z.infer<typeof flipGroup>;

export const groupFlips = backtestById.extend({ by: flipGroup });
export type GroupFlips = z.infer<typeof groupFlips>;
/** Looser groups first, then by size. */
export const flipGroupView = z.object({
  value: z.string(),
  looser: z.number(),
  stricter: z.number(),
  otherwise: z.number(),
});
export type FlipGroupView = z.infer<typeof flipGroupView>;

export const listFlips = backtestById.extend({
  group: z.strictObject({ by: flipGroup, value: z.string().max(1_000) }).optional(),
  offset: z.number().int().min(0).max(RUN_LIMITS.flipsKept).default(0),
  limit: z.number().int().min(1).max(RUN_LIMITS.page).default(50),
});
export type ListFlips = z.infer<typeof listFlips>;

export const flipView = decisionKey.extend({
  agentId: z.uuid(),
  agentName: z.string(),
  sessionId: z.string(),
  event: z.string(),
  tool: z.string(),
  family: z.string(),
  rule: z.string(),
  from: verdict,
  to: verdict,
  isLooser: z.boolean(),
  /** The beginning of the input; empty once it is gone. */
  excerpt: z.string(),
});
export type FlipView = z.infer<typeof flipView>;
