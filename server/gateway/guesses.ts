/** Whoever sends credentials that open nothing, again and again, is heard no more for a minute. By address, per node. */
import type { IncomingMessage } from "node:http";
import { sharedThrottle } from "../access/throttle.ts";
import type { WhenceOf } from "../access/whence.ts";
import type { Siblings } from "../platform/siblings.ts";

export interface Guesses {
  /** Errors: `too_many_attempts`. */
  check(request: IncomingMessage): void;
  failed(request: IncomingMessage): void;
}

/** An agent that lost its key asks about once a second: that is not guessing yet. */
export const GUESS_LIMITS = { failuresMax: 200, windowMs: 60_000 };

export function createGuesses(whenceOf: WhenceOf, siblings: Siblings): Guesses {
  const throttle = sharedThrottle(GUESS_LIMITS, siblings, "credentials");
  const addressOf = (request: IncomingMessage) => whenceOf(request).ip ?? "";
  return {
    check: (request) => throttle.check(addressOf(request)),
    failed: (request) => throttle.failed(addressOf(request)),
  };
}
