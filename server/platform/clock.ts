/** Time as a port: what decides by the clock is handed one, so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds from an arbitrary start that never run backwards: for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that moves only when told. */
export function stoppedClock(startMs: number): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
