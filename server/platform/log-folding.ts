/** Folds what a fault says many times a second into one line for each span of quiet, with the number that it stands for. */

export interface LogFolding {
  /** The number of lines like it left out since the last one, or null while this one is to be left out too. */
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
