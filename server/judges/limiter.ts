/** Limits the concurrent questions to one connection, and the questions that wait for a place. */
export interface Limiter {
  /** `work`'s result once there is room. Resolves to `full` when too many wait; rejects with the signal's reason. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | typeof FULL>;
}

export const FULL: unique symbol = Symbol("full");

export function createLimiter({ running, waiting }: { running: number; waiting: number }): Limiter {
  let busy = 0;
  const queue: (() => void)[] = [];

  function place(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        const at = queue.indexOf(enter);
        if (at !== -1) queue.splice(at, 1);
        reject(signal.reason);
      };
      queue.push(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  return {
    async run(signal, work) {
      signal.throwIfAborted();
      if (busy >= running) {
        if (queue.length >= waiting) return FULL;
        // A finished call passes its place on, so `busy` does not change.
        await place(signal);
      } else busy += 1;
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else busy -= 1;
      }
    },
  };
}
