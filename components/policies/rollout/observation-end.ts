import type { PolicyView } from "@/server/policies/schema";

const DAY_MS = 86_400_000;
/** A clock that runs ahead of the server's would ask too early, and then for a day not again. */
const MARGIN_MS = 500;

/**
 * Milliseconds until the first of these policies is enforced, for `refetchInterval`: no event announces that instant.
 * False if no policy is observed. At most a day, because a browser's timer holds at most 24 days.
 */
export function untilObservationEnds(
  policies: readonly Pick<PolicyView, "observed">[],
  nowMs: number = Date.now(),
): number | false {
  const ends = policies.flatMap(({ observed }) => (observed ? [observed.until.getTime()] : []));
  if (ends.length === 0) return false;
  return Math.min(Math.max(Math.min(...ends) - nowMs, 0) + MARGIN_MS, DAY_MS);
}
