/** Whoever sends credentials that open nothing, again and again, is heard no more for a minute. By address, per node. */
import type { IncomingMessage } from "node:http";
import { sharedThrottle } from "../access/throttle.ts";
import type { WhenceOf } from "../access/whence.ts";
import { AppError } from "../errors/app-error.ts";
import type { Siblings } from "../platform/siblings.ts";
import { clientKey } from "./client-key.ts";

export interface Guesses {
  /** Errors: `too_many_attempts`. */
  check(request: IncomingMessage): void;
  failed(request: IncomingMessage): void;
  /** Counts a body that was announced by somebody without credentials and never came. */
  bodyFailed(request: IncomingMessage, error: unknown): void;
  /** What tells clients without credentials apart. */
  clientOf(request: IncomingMessage): string;
}

/** An agent that lost its key asks about once a second: that is not guessing yet. */
export const GUESS_LIMITS = { failuresMax: 200, windowMs: 60_000 };

const NEVER_CAME = new Set(["body_too_slow", "body_incomplete"]);

export function createGuesses(whenceOf: WhenceOf, siblings: Siblings): Guesses {
  const throttle = sharedThrottle(GUESS_LIMITS, siblings, "credentials");
  const clientOf = (request: IncomingMessage) => clientKey(whenceOf(request).ip);
  const failed = (request: IncomingMessage) => throttle.failed(clientOf(request));
  return {
    clientOf,
    check: (request) => throttle.check(clientOf(request)),
    failed,
    bodyFailed(request, error) {
      if (error instanceof AppError && NEVER_CAME.has(error.code)) failed(request);
    },
  };
}
