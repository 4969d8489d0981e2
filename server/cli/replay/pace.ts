import { setTimeout as delay } from "node:timers/promises";

export interface Pace {
  /** Milliseconds until an event of this instant is due; 0 or less when it is. */
  dueInMs(atMs: number): number;
  /** Resolves when it is due. */
  until(atMs: number): Promise<void>;
}

/** The recording's own rhythm from now on, `speed` times as fast. */
export function createReplayPace(speed: number): Pace {
  const startMs = performance.now();
  const dueInMs = (atMs: number) =>
    speed === Number.POSITIVE_INFINITY ? 0 : startMs + atMs / speed - performance.now();
  return {
    dueInMs,
    async until(atMs) {
      const waitMs = dueInMs(atMs);
      if (waitMs > 0) await delay(waitMs);
    },
  };
}
