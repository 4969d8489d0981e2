/** The sample of a backtest: recorded calls on which commands run and judges are asked, as far as a person wants that. */
import { z } from "zod";
import { decisionKey } from "../../decisions/schema.ts";
import { unknownReason } from "../tally-schema.ts";
import { SAMPLED_KINDS } from "./sampled-kind-schema.ts";

export const SAMPLE_LIMITS = { callsMax: 2_000, calls: 200, nanoMax: 1_000_000_000_000n, page: 200 } as const;

const calls = z.number().int().min(1).max(SAMPLE_LIMITS.callsMax);

/** Null: none. `nanoMax` is the budget in nano-dollars, which the questions of the run never pass. */
export const backtestSample = z.strictObject({
  commands: calls.nullable(),
  judges: z.strictObject({ calls, nanoMax: z.bigint().min(1n).max(SAMPLE_LIMITS.nanoMax) }).nullable(),
});
export type BacktestSample = z.infer<typeof backtestSample>;
export const NO_SAMPLE: BacktestSample = { commands: null, judges: null };

export const sampledResult = z.enum(["unchanged", "looser", "stricter", "otherwise", "unknown"]);
export type SampledResult = z.infer<typeof sampledResult>;

const count = z.number().int().min(0);

export const sampleCounts = z.object({
  kind: z.enum(SAMPLED_KINDS),
  /** The calls that need such an answer. */
  of: count,
  /** The calls in the sample, and those that have run. */
  size: count,
  done: count,
  results: z.partialRecord(sampledResult, count),
});
export type SampleCounts = z.infer<typeof sampleCounts>;

/** The questions of a run to judges. */
export const judgeAnswers = z.object({
  asked: count,
  /** Answers that were known from an equal question, at no cost. */
  reused: count,
  nano: z.bigint(),
  /** Answers without a known cost. */
  unpriced: count,
  nanoMax: z.bigint(),
});

export const sampleView = z.object({
  kinds: z.array(sampleCounts),
  /** Null where judges are not asked. */
  answers: judgeAnswers.nullable(),
});
export type SampleView = z.infer<typeof sampleView>;

export const listSampled = z.strictObject({
  policyId: z.uuid(),
  runId: z.uuid(),
  offset: z
    .number()
    .int()
    .min(0)
    .max(2 * SAMPLE_LIMITS.callsMax)
    .default(0),
  limit: z.number().int().min(1).max(SAMPLE_LIMITS.page).default(50),
});
export type ListSampled = z.infer<typeof listSampled>;

const verdict = z.enum(["none", "allow", "ask", "deny"]);
export const sampledCall = decisionKey.extend({
  kind: z.enum(SAMPLED_KINDS),
  agentName: z.string(),
  tool: z.string(),
  event: z.string(),
  result: sampledResult,
  /** The reason for an unknown result; else null. */
  why: unknownReason.nullable(),
  /** Null for an unknown result. */
  from: verdict.nullable(),
  to: verdict.nullable(),
  commandsRun: count,
  asked: count,
  reused: count,
  durationMs: z.number(),
  excerpt: z.string(),
});
export type SampledCallView = z.infer<typeof sampledCall>;

/** The judges of backtests in a range. */
export const backtestSpend = z.object({ asked: count, unpriced: count, nano: z.bigint() });
export type BacktestSpend = z.infer<typeof backtestSpend>;
export const spendRange = z.strictObject({ from: z.date(), to: z.date() });
