/** Folds a repeated log line into one line per quiet period, with the number of omitted lines. */

export interface LogFolding {
  /** Returns the number of equal lines omitted since the last one, or null if this line must be omitted too. */
  admit(key: string): number | null;
}

/** `quietMs` between two lines with the same key. */
export function createLogFolding(quietMs: number, nowMs: () => number = () => performance.now()): LogFolding {
  const lastByKey = new Map<string, { atMs: number; folded: number }>();
  return {
    admit(key) {
      const last = lastByKey.get(key);
      if (last && nowMs() - last.atMs < quietMs) {
        last.folded += 1;
        return null;
      }
      lastByKey.set(key, { atMs: nowMs(), folded: 0 });
      return last?.folded ?? 0;
    },
  };
}
