/** Time as a port: code that depends on the clock gets one passed in, so that tests can control it. */
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

/** A clock that moves only when `advance` is called. */
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
