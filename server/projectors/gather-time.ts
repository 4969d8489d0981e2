/**
 * The pause between two looks of a projector. The work of a step hardly depends on its number of records: rows of sums are
 * shared by them. So the busier the log, the more records are gathered for a step.
 */

/** A reader does not notice the shorter one, and pages under such a load are behind by the longer one at most. */
const GATHER_MS = { min: 25, max: 250 } as const;
/** At 200 records a second, records are gathered for 200 ms. */
const MS_PER_RATE = 1;
/** A look that took long is followed by a pause as long, up to this: PostgreSQL has other work. */
const RECOVER_MS_MAX = 100;

/** One look at the log. */
export interface Look {
  readonly records: number;
  /** Since the beginning of the look before, in which the records arrived. */
  readonly sinceMs: number;
  readonly tookMs: number;
}

/** Milliseconds from the end of a look to the beginning of the next. */
export function pauseAfter({ records, sinceMs, tookMs }: Look): number {
  const perSecond = (records * 1_000) / Math.max(sinceMs, 1);
  const gatherMs = Math.min(Math.max(perSecond * MS_PER_RATE, GATHER_MS.min), GATHER_MS.max);
  return Math.max(gatherMs - tookMs, Math.min(tookMs, RECOVER_MS_MAX));
}
