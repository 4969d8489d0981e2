/** Whoever sends credentials that open nothing, again and again, is heard no more for a minute. By address, per node. */
import type { IncomingMessage } from "node:http";
import { createThrottle, type Throttle } from "../access/throttle.ts";
import type { WhenceOf } from "../access/whence.ts";
import { alone, type Siblings } from "../platform/siblings.ts";

export interface Guesses {
  /** Errors: `too_many_attempts`. */
  check(request: IncomingMessage): void;
  failed(request: IncomingMessage): void;
}

/** An agent that lost its key asks about once a second: that is not guessing yet. */
export const GUESS_LIMITS = { failuresMax: 200, windowMs: 60_000 };

export function createGuesses(
  whenceOf: WhenceOf,
  throttle: Throttle = createThrottle(GUESS_LIMITS),
  siblings: Siblings = alone(),
): Guesses {
  const addressOf = (request: IncomingMessage) => whenceOf(request).ip ?? "";
  siblings.answer("guessed", (address) => throttle.failed(String(address)));
  return {
    check: (request) => throttle.check(addressOf(request)),
    // Every process counts every guess: a guesser who is handed round gains nothing.
    failed: (request) => void siblings.ask("guessed", addressOf(request)),
  };
}
