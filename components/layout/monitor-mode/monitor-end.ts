const DAY_MS = 86_400_000;
/** A clock that runs ahead of the server's would ask too early, and then for a day not again. */
const MARGIN_MS = 500;

interface Monitored {
  readonly observed?: { readonly until: Date } | null;
  readonly monitored?: readonly { readonly until: Date }[];
}

/**
 * Milliseconds until the first of these policies or rules is enforced, for `refetchInterval`: no event announces that
 * instant. False if none is in monitor mode. At most a day, because a browser's timer holds at most 24 days.
 */
export function untilMonitorEnds(policies: readonly Monitored[], nowMs: number = Date.now()): number | false {
  const ends = policies.flatMap(({ observed, monitored = [] }) => [...(observed ? [observed] : []), ...monitored]);
  if (ends.length === 0) return false;
  return Math.min(Math.max(Math.min(...ends.map(({ until }) => until.getTime())) - nowMs, 0) + MARGIN_MS, DAY_MS);
}
