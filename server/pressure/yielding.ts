/** The work that gives way to gates at each pressure level. A gate itself is refused last (server/load-shedding). */

/** The level at which each kind of work begins to give way, the first to do so first. */
export const YIELDS_AT = {
  /** Live refresh of pages: slower, never an error. */
  refresh: 1,
  /** Projectors gather longer, so figures lag. */
  figures: 1,
  exports: 2,
  scans: 2,
  /** Reports and telemetry are refused with 429; their senders keep them. */
  reports: 3,
  /** Reads of pages wait, then they are refused with 503. */
  reads: 4,
  /** Events of hooks that only observe. */
  observers: 5,
} as const;

export type Yielding = keyof typeof YIELDS_AT;

export const yieldingAt = (level: number): readonly Yielding[] =>
  (Object.keys(YIELDS_AT) as Yielding[]).filter((one) => level >= YIELDS_AT[one]); // holds: its own keys

/** By level: milliseconds that a viewer waits for its next message beyond the usual time. */
export const REFRESH_WAIT_MS: readonly number[] = [0, 1_000, 2_000, 4_000, 8_000, 15_000];
/** By level: milliseconds that projectors gather records for one step. */
export const GATHER_WAIT_MS: readonly number[] = [0, 500, 1_000, 2_000, 3_000, 4_000];
/** The longest that a page of an export waits; an export makes progress also under constant pressure. */
export const EXPORT_WAIT_MS_MAX = 10_000;
export const READ_WAIT_MS_MAX = 2_000;
