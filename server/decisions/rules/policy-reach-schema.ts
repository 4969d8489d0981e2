/** The view of a policy's reach. */
import { z } from "zod";

/** Days that are searched for the last run. */
export const LAST_RUN_SEARCH_DAYS = 30;

export const policyReachInput = z.strictObject({ policyId: z.uuid() });

const count = z.number().nonnegative();
/** The hour of the last run, or its day (UTC) for older runs; it begins at `at`. */
const runTime = z.strictObject({ at: z.date(), unit: z.enum(["hour", "day"]) });
const lastRan = runTime.nullable();

const ruleReach = z.strictObject({
  revision: z.number(),
  event: z.string(),
  name: z.string(),
  matcher: z.string().nullable(),
  lane: z.enum(["default", "preempt_yolo"]),
  /** Bound agents that asked through its event and lane in the last 24 hours, and their calls. */
  agents: count,
  calls: count,
  /** Selected, and selected and started, in the last 24 hours. */
  reached: count,
  ran: count,
  lastRan,
});
export type RuleReach = z.infer<typeof ruleReach>;

export const policyReachView = z.strictObject({
  bound: count,
  publishedAt: z.date().nullable(),
  /** Only the newest calls of the 24 hours were counted. */
  isCut: z.boolean(),
  agents: count,
  calls: count,
  ran: count,
  lastRan,
  /** It binds agents, is in force for an hour or more, and no call of the last 24 hours selected any of its rules. */
  isUnreached: z.boolean(),
  rules: z.array(ruleReach),
  rulesLeftOut: count,
});
export type PolicyReachView = z.infer<typeof policyReachView>;

export const LAST_RUNS_MAX = 2_000;
/** The last run of any rule of each policy that ran, at most `LAST_RUNS_MAX` policies. */
export const policyRuns = z.array(runTime.extend({ policyId: z.uuid() }));
export type PolicyRuns = z.infer<typeof policyRuns>;
