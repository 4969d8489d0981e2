/** A clock for tests that moves only through `advance`. */
import type { Clock } from "../engine/ports.ts";

export interface ManualClock extends Clock {
  /** Advances the time and runs due callbacks in order of time. */
  advance(ms: number): void;
  /** The number of waiting callbacks. */
  readonly waiting: number;
}

export function manualClock(): ManualClock {
  let nowMs = 0;
  const timers = new Set<{ dueMs: number; callback: () => void }>();
  return {
    now: () => nowMs,
    get waiting() {
      return timers.size;
    },
    after(afterMs, callback) {
      const timer = { dueMs: nowMs + afterMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const next = [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
        if (!next) break;
        timers.delete(next);
        nowMs = next.dueMs;
        next.callback();
      }
      nowMs = untilMs;
    },
  };
}
