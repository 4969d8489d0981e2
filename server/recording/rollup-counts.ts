/**
 * The sums of one batch: per session, and per minute and hour bucket. They are added to the stored sums in the same
 * transaction.
 */

import { type CountedRecord, decidedOutcomeOf, gatedCallOf } from "./gated-call.ts";

/** Version 2 counts calls that were denied and calls that were sent to a person apart. */
export const ROLLUP_RULE_VERSION = 2;

export const ROLLUP_COUNTS = [
  "dispatches",
  "gates",
  "gates_without_opinion",
  "gates_without_rule",
  "gates_denied",
  "gates_asked",
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
  "notifications",
  "errors",
  "iteration_limits",
] as const;
export type RollupCount = (typeof ROLLUP_COUNTS)[number];
export type Counts = Partial<Record<RollupCount, bigint>>;

/**
 * The counts that one dispatch adds, without zero counts. `gates` are tool calls, each counted once, however many gates
 * it passed. Those that no other count names were allowed by a rule.
 */
export function rollupCountsOf(entry: CountedRecord): Counts {
  const { record, projection } = entry;
  const counts: Counts = { dispatches: 1n };
  const { decision, call } = projection;
  const rules = gatedCallOf(entry);
  if (rules !== null) counts.gates = 1n;
  if (rules !== null && rules !== "decided") counts.gates_without_opinion = 1n;
  if (rules === "ungoverned") counts.gates_without_rule = 1n;
  const outcome = rules === "decided" ? decidedOutcomeOf(record) : null;
  if (outcome === "denied") counts.gates_denied = 1n;
  if (outcome === "asked") counts.gates_asked = 1n;
  if (decision?.kind === "gate" && record.verdict === "deny") counts.gate_denied = 1n;
  put(
    counts,
    "hooks_failed",
    record.hooks.reduce((sum, hook) => sum + (hook.outcome === "failed" ? 1 : 0), 0),
  );
  const final = decision?.kind === "final" ? FINAL_COUNTS.get(decision.verdict) : undefined;
  if (final) counts[final] = 1n;
  const ofEvent = EVENT_COUNTS.get(record.event);
  if (ofEvent) counts[ofEvent] = 1n;
  if (call) {
    const { tokens, hasUsage } = call;
    counts[record.cost === null ? "calls_unpriced" : record.cost.usd === "0" ? "calls_free" : "calls_priced"] = 1n;
    if (!hasUsage) counts.calls_without_usage = 1n;
    put(counts, "cost_nano", record.cost?.nano ?? 0n);
    put(counts, "input_tokens", tokens.input);
    put(counts, "output_tokens", tokens.output);
    put(counts, "cached_input_tokens", tokens.cachedInput);
    put(counts, "cached_write_tokens", tokens.cachedWrite);
    put(counts, "reasoning_tokens", tokens.reasoning);
  }
  return counts;
}

function put(counts: Counts, name: RollupCount, value: number | bigint | null): void {
  if (value) counts[name] = BigInt(value);
}

const FINAL_COUNTS: ReadonlyMap<string, RollupCount> = new Map([
  ["allow", "allowed"],
  ["deny", "denied"],
  ["canceled", "canceled"],
]);

/** Events that are counted each by itself. */
const EVENT_COUNTS: ReadonlyMap<string, RollupCount> = new Map([
  ["permission_request", "prompted"],
  ["after_compaction", "compactions"],
  ["notification", "notifications"],
  ["on_error", "errors"],
  ["on_max_iterations", "iteration_limits"],
]);

export function addCounts(into: Counts, more: Counts): Counts {
  for (const name in more) {
    const count = name as RollupCount; // holds: Counts has no other members
    into[count] = (into[count] ?? 0n) + (more[count] ?? 0n);
  }
  return into;
}
