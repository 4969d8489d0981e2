/** The sums of one batch: per session, and per minute and hour bucket. Added to the stored ones in the same transaction. */

import type { Projection } from "./projection.ts";
import type { DispatchRecord } from "./record.ts";

export const ROLLUP_COUNTS = [
  "dispatches",
  "gates",
  "gates_without_opinion",
  "gate_denied",
  "hooks_failed",
  "allowed",
  "denied",
  "canceled",
  "prompted",
  "compactions",
  "calls_priced",
  "calls_free",
  "calls_unpriced",
  "calls_without_usage",
  "cost_nano",
  "input_tokens",
  "output_tokens",
  "cached_input_tokens",
  "cached_write_tokens",
  "reasoning_tokens",
] as const;
export type RollupCount = (typeof ROLLUP_COUNTS)[number];
export type Counts = Partial<Record<RollupCount, bigint>>;

/** What one dispatch adds. `isGate` says whether its event decides over a tool call. */
export function countsOf(record: DispatchRecord, projection: Projection, isGate: boolean): Counts {
  const one = (condition: boolean): bigint => (condition ? 1n : 0n);
  const final = projection.decision?.kind === "final" ? projection.decision.verdict : "";
  const counts: Counts = { dispatches: 1n };
  if (isGate && record.origin === "dispatch") {
    counts.gates = 1n;
    counts.gates_without_opinion = one(record.verdict === "none");
  }
  if (projection.decision?.kind === "gate") counts.gate_denied = one(record.verdict === "deny");
  counts.hooks_failed = BigInt(record.hooks.reduce((sum, hook) => sum + (hook.outcome === "failed" ? 1 : 0), 0));
  if (final !== "") {
    counts.allowed = one(final === "allow");
    counts.denied = one(final === "deny");
    counts.canceled = one(final === "canceled");
  }
  if (record.event === "permission_request") counts.prompted = 1n;
  if (record.event === "after_compaction") counts.compactions = 1n;
  if (projection.call) {
    const { tokens, hasUsage } = projection.call;
    counts.calls_priced = one(record.cost !== null && record.cost.usd !== "0");
    counts.calls_free = one(record.cost?.usd === "0");
    counts.calls_unpriced = one(record.cost === null);
    counts.calls_without_usage = one(!hasUsage);
    counts.cost_nano = record.cost?.nano ?? 0n;
    counts.input_tokens = BigInt(tokens.input ?? 0);
    counts.output_tokens = BigInt(tokens.output ?? 0);
    counts.cached_input_tokens = BigInt(tokens.cachedInput ?? 0);
    counts.cached_write_tokens = BigInt(tokens.cachedWrite ?? 0);
    counts.reasoning_tokens = BigInt(tokens.reasoning ?? 0);
  }
  return counts;
}

export function addCounts(into: Counts, more: Counts): Counts {
  for (const name of ROLLUP_COUNTS) {
    const value = more[name];
    if (value !== undefined && value !== 0n) into[name] = (into[name] ?? 0n) + value;
  }
  return into;
}
