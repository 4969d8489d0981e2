/**
 * Limits requests with invalid credentials. A token has 256 bits and cannot be guessed; the lookups are the cost. So an
 * invalid credential is refused without a lookup after several tries from one address, and further credentials of an
 * address with many failures are looked up a few at a time. A valid credential is still found there, so no address
 * locks out its neighbours.
 */
import type { IncomingMessage } from "node:http";
import type { ReadClientInfo } from "../access/client-info.ts";
import { GUESS_LIMITS } from "../access/credential-throttle.ts";
import { createFailureThrottle, type FailureThrottle } from "../access/failure-throttle.ts";
import { AppError } from "../errors/app-error.ts";
import { sha256 } from "../platform/secrets.ts";
import { clientKey } from "./client-key.ts";
import { createLine } from "./waiting-line.ts";

export interface CredentialThrottle {
  /**
   * Runs the look-up of a credential, and counts a failed one (401). Errors: those of the look-up; `too_many_attempts`
   * for a credential that failed too often, or when too many wait.
   */
  lookUp<T>(request: IncomingMessage, credential: string, work: () => Promise<T>): Promise<T>;
  /** Errors: `too_many_attempts`, for this credential of this address. */
  check(request: IncomingMessage, credential: string): void;
  failed(request: IncomingMessage, credential: string): void;
  /** Errors: `too_many_attempts`, for an address whose announced bodies never come. */
  checkBodies(request: IncomingMessage): void;
  /** Counts a body that was announced without credentials and never came. */
  bodyFailed(request: IncomingMessage, error: unknown): void;
  /** The key that distinguishes clients without credentials. */
  clientOf(request: IncomingMessage): string;
}

const NEVER_CAME = new Set(["body_too_slow", "body_incomplete"]);
/** Look-ups of addresses that sent many wrong credentials. Each takes about a millisecond. */
const LINE = { underWayMax: 2, waitingMax: 2_000 };

export function createCredentialThrottle(
  whenceOf: ReadClientInfo,
  throttle: Pick<FailureThrottle, "check" | "failed">,
): CredentialThrottle {
  const own = createFailureThrottle(GUESS_LIMITS);
  const line = createLine(LINE);
  const clientOf = (request: IncomingMessage) => clientKey(whenceOf(request).ip);
  const bodiesOf = (request: IncomingMessage) => `bodies ${clientOf(request)}`;
  const credentialOf = (request: IncomingMessage, credential: string) =>
    `${clientOf(request)} ${sha256(credential).toString("base64url").slice(0, 16)}`;

  function hasManyFailures(client: string): boolean {
    try {
      throttle.check(client);
      return false;
    } catch {
      return true;
    }
  }

  function failed(request: IncomingMessage, credential: string): void {
    own.failed(credentialOf(request, credential));
    throttle.failed(clientOf(request));
  }

  const check = (request: IncomingMessage, credential: string) => own.check(credentialOf(request, credential));

  return {
    clientOf,
    check,
    failed,
    async lookUp(request, credential, work) {
      check(request, credential);
      try {
        return hasManyFailures(clientOf(request)) ? await line(work) : await work();
      } catch (error) {
        if (error instanceof AppError && error.status === 401) failed(request, credential);
        throw error;
      }
    },
    checkBodies: (request) => throttle.check(bodiesOf(request)),
    bodyFailed(request, error) {
      if (error instanceof AppError && NEVER_CAME.has(error.code)) throttle.failed(bodiesOf(request));
    },
  };
}
