/**
 * The comparison of a canary with the other agents of its policy. Pure.
 *
 * A limit is passed when the share inside exceeds the share outside by more than the limit, at a one-sided confidence
 * of 99.9 %: the lower bound of Newcombe's interval for the difference of two proportions, built from Wilson's bounds.
 */
import {
  CALLS_MIN,
  CANARY_MEASURES,
  type CanaryComparison,
  type CanaryCounts,
  type CanaryLimits,
} from "./limits-schema.ts";

/** The quantile of the normal distribution for 99.9 %, one-sided. */
const Z = 3.0902;

/** Wilson's lower and upper bound of a proportion, at Z. */
function wilsonBounds(events: number, calls: number): { readonly lower: number; readonly upper: number } {
  const share = events / calls;
  const square = Z * Z;
  const centre = share + square / (2 * calls);
  const spread = Z * Math.sqrt((share * (1 - share)) / calls + square / (4 * calls * calls));
  const whole = 1 + square / calls;
  return { lower: (centre - spread) / whole, upper: (centre + spread) / whole };
}

export interface Sample {
  readonly events: number;
  readonly calls: number;
}

/** The smallest difference of the shares, inside minus others, that the samples allow. Both need at least one call. */
export function smallestDifference(inside: Sample, others: Sample): number {
  const [ours, theirs] = [inside.events / inside.calls, others.events / others.calls];
  const { lower } = wilsonBounds(inside.events, inside.calls);
  const { upper } = wilsonBounds(others.events, others.calls);
  return ours - theirs - Math.hypot(ours - lower, upper - theirs);
}

/** The state of a canary by its limits, and the first limit passed. */
export function compareCanary(
  limits: CanaryLimits,
  inside: CanaryCounts,
  others: CanaryCounts,
): Pick<CanaryComparison, "state" | "passed"> {
  if (inside.calls < CALLS_MIN) return { state: "too_few_inside", passed: null };
  if (others.calls < CALLS_MIN) return { state: "too_few_others", passed: null };
  const passed = CANARY_MEASURES.find((measure) => {
    const points = limits[measure];
    if (points === null) return false;
    const sampleOf = (side: CanaryCounts): Sample => ({ events: side[measure], calls: side.calls });
    return smallestDifference(sampleOf(inside), sampleOf(others)) > points / 100;
  });
  return passed ? { state: "passed", passed } : { state: "within", passed: null };
}
