/** Sentences on the comparison of a canary with the other agents. Pure. */
import { formatCount, formatShare } from "@/components/ui/format/count";
import {
  CALLS_MIN,
  CANARY_MEASURES,
  type CanaryComparison,
  type CanaryLimits,
  type CanaryMeasure,
} from "@/server/policies/canary-watch/limits-schema";

export const MEASURE_WORDS: Readonly<Record<CanaryMeasure, { readonly label: string; readonly noun: string }>> = {
  denied: { label: "Denials", noun: "denials" },
  asked: { label: "Asks", noun: "asks" },
  failed: { label: "Failures", noun: "failures" },
  slow: { label: "Slow calls", noun: "slow calls" },
  overturned: { label: "Overturned", noun: "overturned answers" },
};

/** "denials 4 % (other agents 1 %)". */
export function measureText({ inside, others }: CanaryComparison, measure: CanaryMeasure): string {
  const { noun } = MEASURE_WORDS[measure];
  return `${noun} ${formatShare(inside[measure], inside.calls)} (other agents ${formatShare(others[measure], others.calls)})`;
}

/** The state of a canary by its limits. */
export function limitsText(limits: CanaryLimits, comparison: CanaryComparison | null): string {
  if (comparison === null) return "The canary's limits have not been checked yet.";
  const { inside, others, state } = comparison;
  if (state === "too_few_inside")
    return `Too few calls to compare: the canary's agents made ${formatCount(inside.calls)} and must make at least ${CALLS_MIN}.`;
  if (state === "too_few_others")
    return `Too few calls to compare: the other agents made ${formatCount(others.calls)} and must make at least ${CALLS_MIN}.`;
  const shown = CANARY_MEASURES.filter((measure) => limits[measure] !== null);
  const says = shown.map((measure) => measureText(comparison, measure)).join(", ");
  return `The canary is within its limits: ${formatCount(inside.calls)} calls; ${says}.`;
}

/** The reason of a withdrawal: "denials 40 % (other agents 1 %), limit 5 points above." */
export function withdrawalReason(limits: CanaryLimits, comparison: CanaryComparison): string {
  const measure = comparison.passed ?? "denied";
  const { inside } = comparison;
  return `${measureText(comparison, measure)} of ${formatCount(inside.calls)} calls; the limit is ${limits[measure] ?? 0} points above.`;
}
