/** The longest time in which something that should go on did not happen. */
export interface Silence {
  /** It happened. */
  end(): void;
  longestMs(): number;
}

export function newSilence(): Silence {
  let lastMs = performance.now();
  let longestMs = 0;
  return {
    end() {
      const nowMs = performance.now();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    },
    longestMs: () => longestMs,
  };
}
