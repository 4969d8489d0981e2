/**
 * Limits guesses of passwords and codes. Failures are counted by account and address together, so that an attacker
 * cannot lock a person out: sign-ins from another address are not delayed. An address with many failures on any
 * accounts is slowed down, except for people who signed in from it before.
 */
import { LRUCache } from "lru-cache";
import type { ClientInfo } from "../../access/actor.ts";
import { createSharedFailureThrottle } from "../../access/failure-throttle.ts";
import { createGrowingDelay, networkOf } from "../../access/growing-delay.ts";
import { AppError } from "../../errors/app-error.ts";
import type { WorkerRpc } from "../../platform/worker-rpc.ts";

/** The target of a guess, and its source. */
export interface Attempt {
  /** `email:`, `password:` or `code:`, and whose. */
  readonly account: string;
  readonly from: ClientInfo;
  /** True for a code from an address that its owner never signed in from: the sender knows the password. */
  readonly isSuspect: boolean;
  /**
   * True when the account was signed in to from this address before. Read only for an address with many wrong guesses.
   */
  readonly isKnownHere: () => Promise<boolean>;
}

export interface Attempts {
  /** Errors: `too_many_attempts`. */
  check(attempt: Attempt): Promise<void>;
  failed(attempt: Attempt): void;
  succeeded(attempt: Attempt): void;
}

/** Wrong passwords and codes from one address, on any accounts: a whole office may share it. */
const ADDRESS_LIMITS = { failuresMax: 100, windowMs: 15 * 60_000 };
/** An address beyond that has one guess in this time for accounts that were never signed in to from it. */
const SLOW_MS = 5_000;
const SLOW_ADDRESSES_MAX = 20_000;
/** Wrong codes of one second factor, from many addresses that its owner never used. A code has but a million values. */
const CODE_LIMITS = { failuresMax: 50, windowMs: 3_600_000 };

export function createAttempts(workerRpc: WorkerRpc): Attempts {
  const pairs = createGrowingDelay(workerRpc, "sign-in attempts");
  const addresses = createSharedFailureThrottle(ADDRESS_LIMITS, workerRpc, "sign-in addresses");
  const codes = createSharedFailureThrottle(CODE_LIMITS, workerRpc, "second factor codes");
  const pairOf = ({ account, from }: Attempt) => `${networkOf(from.ip)} ${account}`;
  const isCode = ({ account }: Attempt) => account.startsWith("code:");
  const slow = new LRUCache<string, number>({ max: SLOW_ADDRESSES_MAX, ttl: ADDRESS_LIMITS.windowMs });

  async function checkAddress({ from, isKnownHere }: Attempt): Promise<void> {
    const network = networkOf(from.ip);
    try {
      addresses.check(network);
      return;
    } catch (error) {
      if (!(error instanceof AppError) || (await isKnownHere())) return;
    }
    const leftMs = (slow.get(network) ?? Number.NEGATIVE_INFINITY) + SLOW_MS - Date.now();
    if (leftMs > 0)
      throw new AppError("too_many_attempts", undefined, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
    slow.set(network, Date.now());
  }

  return {
    async check(attempt) {
      pairs.check(pairOf(attempt));
      await checkAddress(attempt);
      if (isCode(attempt) && attempt.isSuspect) codes.check(attempt.account);
    },
    failed(attempt) {
      pairs.failed(pairOf(attempt));
      addresses.failed(networkOf(attempt.from.ip));
      if (isCode(attempt)) codes.failed(attempt.account);
    },
    succeeded: (attempt) => pairs.succeeded(pairOf(attempt)),
  };
}
