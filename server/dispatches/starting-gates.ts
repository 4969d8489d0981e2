/**
 * The gates whose hooks do not run yet: they wait for look-ups, for the policy in force, or for turns of the event loop.
 * The time of hooks and of people is not theirs.
 */

export interface StartingGates {
  /** A gate was read. To be called again, any number of times, as its hooks begin or it ends. */
  enter(): () => void;
  /** Milliseconds that the oldest has waited; 0 without one. */
  readonly oldestMs: number;
}

/** `nowMs` is a monotonic clock. */
export function createStartingGates(nowMs: () => number = () => performance.now()): StartingGates {
  // A set has the order of its entries' arrival.
  const waiting = new Set<{ readonly atMs: number }>();
  return {
    enter() {
      const gate = { atMs: nowMs() };
      waiting.add(gate);
      return () => void waiting.delete(gate);
    },
    get oldestMs() {
      const [oldest] = waiting;
      return oldest === undefined ? 0 : nowMs() - oldest.atMs;
    },
  };
}
