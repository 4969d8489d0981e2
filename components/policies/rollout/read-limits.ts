/** The limits of a canary as a person typed them. Pure. */
import {
  CANARY_MEASURES,
  type CanaryLimits,
  type CanaryMeasure,
  DEFAULT_LIMITS,
  SLOW_MS_MAX,
} from "@/server/policies/canary-watch/limits-schema";

export interface LimitsChoice {
  readonly isOn: boolean;
  /** As typed: percentage points; empty for no limit. */
  readonly points: Readonly<Record<CanaryMeasure, string>>;
  /** As typed: milliseconds. */
  readonly slowMs: string;
}

/** The fields with the values of stored limits; the defaults for a new canary. */
export function limitsChoice(limits: CanaryLimits | null = DEFAULT_LIMITS): LimitsChoice {
  const { slowMs, ...points } = limits ?? DEFAULT_LIMITS;
  const textOf = (measure: CanaryMeasure) => (points[measure] === null ? "" : String(points[measure]));
  return {
    isOn: limits !== null,
    points: {
      ...{ denied: textOf("denied"), asked: textOf("asked"), failed: textOf("failed") },
      ...{ slow: textOf("slow"), overturned: textOf("overturned") },
    },
    slowMs: String(slowMs),
  };
}

/** The limits of a choice, null without limits, or the reason why the choice is invalid. */
export function readLimits({ isOn, points, slowMs }: LimitsChoice): CanaryLimits | null | string {
  if (!isOn) return null;
  const read = (measure: CanaryMeasure) => (points[measure].trim() === "" ? null : Number(points[measure]));
  const isPoints = (value: number | null) => value === null || (Number.isInteger(value) && value >= 1 && value <= 99);
  if (!CANARY_MEASURES.every((measure) => isPoints(read(measure))))
    return "A limit must be a whole number from 1 to 99, or empty.";
  if (CANARY_MEASURES.every((measure) => read(measure) === null)) return "Set at least one limit, or turn limits off.";
  const slow = Number(slowMs);
  if (!Number.isInteger(slow) || slow < 1 || slow > SLOW_MS_MAX)
    return `The limit for a slow call must be a whole number of milliseconds, from 1 to ${SLOW_MS_MAX}.`;
  return {
    ...{ denied: read("denied"), asked: read("asked"), failed: read("failed") },
    ...{ slow: read("slow"), overturned: read("overturned"), slowMs: slow },
  };
}
