import { AppError } from "../errors/app-error.ts";

interface LineLimits {
  readonly underWayMax: number;
  readonly waitingMax: number;
}

/** Runs work in the order it came, a few at a time. Errors: `too_many_attempts` where too much waits already. */
export function createLine({ underWayMax, waitingMax }: LineLimits) {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay >= underWayMax) {
      if (waiting.length >= waitingMax) throw new AppError("too_many_attempts", undefined, { retryAfterSeconds: 2 });
      await new Promise<void>((resolve) => void waiting.push(resolve));
    } else underWay += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
