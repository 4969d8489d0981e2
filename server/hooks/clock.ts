/** This machine's clock, for the engine's port. */
import type { Clock } from "./engine/ports.ts";

export const systemClock: Clock = {
  now: () => performance.now(),
  after(afterMs, callback) {
    const timer = setTimeout(callback, afterMs);
    return () => clearTimeout(timer);
  },
};
