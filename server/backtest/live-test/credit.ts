/** The processor time that a live test may use. It grows with the clock and is spent by what was measured. Pure. */
export interface Credit {
  /** Microseconds of processor time; below 0 after a chunk that took longer. */
  readonly us: number;
  readonly atMs: number;
}

/** Unused time is kept for this long, so that a burst of calls fits. */
const KEPT_MS = 10_000;

/** The credit at a later instant. A clock that was set back adds nothing. */
export function growCredit({ us, atMs }: Credit, percent: number, nowMs: number): Credit {
  const usPerMs = percent * 10;
  return { us: Math.min(KEPT_MS * usPerMs, us + Math.max(0, nowMs - atMs) * usPerMs), atMs: nowMs };
}
