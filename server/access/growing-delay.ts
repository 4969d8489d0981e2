/**
 * Slows down guessing, more with every failure: the first failures cost nothing, later ones up to a quarter of an hour.
 * Per node.
 */
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { AppError } from "../errors/app-error.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import type { FailureThrottle } from "./failure-throttle.ts";

const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 1_000;
const DELAY_MAX_MS = 15 * 60_000;
/** Failures are forgotten after a day without one. */
const FORGOTTEN_MS = 24 * 3_600_000;
const KEYS_MAX = 20_000;

/** One throttle for all processes of a node. `name` identifies it. */
export function createGrowingDelay(
  workerRpc: WorkerRpc,
  name: string,
  nowMs: () => number = Date.now,
): FailureThrottle {
  const counts = new LRUCache<string, { failures: number; lastMs: number }>({ max: KEYS_MAX, ttl: FORGOTTEN_MS });
  const [failed, succeeded] = [`${name}: failed`, `${name}: succeeded`];
  workerRpc.answer(failed, (key) => {
    const failures = (counts.get(String(key))?.failures ?? 0) + 1;
    counts.set(String(key), { failures, lastMs: nowMs() });
  });
  workerRpc.answer(succeeded, (key) => void counts.delete(String(key)));
  return {
    check(key) {
      const count = counts.get(key);
      if (!count) return;
      const leftMs = count.lastMs + delayMs(count.failures) - nowMs();
      if (leftMs > 0)
        throw new AppError("too_many_attempts", undefined, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
    },
    failed: (key) => void workerRpc.ask(failed, key),
    succeeded: (key) => void workerRpc.ask(succeeded, key),
  };
}

/** Milliseconds from a failure until the next attempt is taken. */
export function delayMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
}

/**
 * The part of an address that one customer gets from a provider: an IPv4 address, or the first 64 bits of an IPv6
 * address.
 */
export function networkOf(address: string | null): string {
  if (address === null || !isIPv6(address)) return address ?? "";
  const [first, second, third, fourth] = ipaddr.IPv6.parse(address).parts;
  return [first, second, third, fourth].map((part) => (part ?? 0).toString(16)).join(":");
}
