/**
 * Slows down guessing: after `failuresMax` failures of one key, further attempts fail until the window ends. Per node.
 */
import { LRUCache } from "lru-cache";
import { AppError } from "../errors/app-error.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";

export interface FailureThrottle {
  /** Errors: `too_many_attempts`, with the seconds to wait. */
  check(key: string): void;
  failed(key: string): void;
  /** Resets the key's failures. */
  succeeded(key: string): void;
}

export interface ThrottleLimits {
  readonly failuresMax: number;
  readonly windowMs: number;
}

/** Guessers beyond these push out the ones that were quiet longest. */
const KEYS_MAX = 20_000;

export function createFailureThrottle({ failuresMax, windowMs }: ThrottleLimits): FailureThrottle {
  const counts = new LRUCache<string, { failures: number; endsMs: number }>({ max: KEYS_MAX, ttl: windowMs });
  return {
    check(key) {
      const count = counts.get(key);
      if (!count || count.failures < failuresMax) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((count.endsMs - performance.now()) / 1000));
      throw new AppError("too_many_attempts", undefined, { retryAfterSeconds });
    },
    failed(key) {
      const count = counts.get(key);
      if (count) count.failures += 1;
      else counts.set(key, { failures: 1, endsMs: performance.now() + windowMs });
    },
    succeeded: (key) => void counts.delete(key),
  };
}

/** One throttle for all processes of a node, so that switching processes gains nothing. `name` identifies it. */
export function createSharedFailureThrottle(
  limits: ThrottleLimits,
  workerRpc: WorkerRpc,
  name: string,
): FailureThrottle {
  const own = createFailureThrottle(limits);
  const [failed, succeeded] = [`${name}: failed`, `${name}: succeeded`];
  workerRpc.answer(failed, (key) => own.failed(String(key)));
  workerRpc.answer(succeeded, (key) => own.succeeded(String(key)));
  return {
    check: own.check,
    failed: (key) => void workerRpc.ask(failed, key),
    succeeded: (key) => void workerRpc.ask(succeeded, key),
  };
}
