/** Whoever sends credentials that open nothing, again and again, is heard no more for a minute. By address, per node. */
import type { IncomingMessage } from "node:http";
import type { ReadClientInfo } from "../access/client-info.ts";
import type { FailureThrottle } from "../access/failure-throttle.ts";
import { AppError } from "../errors/app-error.ts";
import { clientKey } from "./client-key.ts";

export interface CredentialThrottle {
  /** Errors: `too_many_attempts`. */
  check(request: IncomingMessage): void;
  failed(request: IncomingMessage): void;
  /** Counts a body that was announced by somebody without credentials and never came. */
  bodyFailed(request: IncomingMessage, error: unknown): void;
  /** The key that distinguishes clients without credentials. */
  clientOf(request: IncomingMessage): string;
}

const NEVER_CAME = new Set(["body_too_slow", "body_incomplete"]);

export function createCredentialThrottle(
  whenceOf: ReadClientInfo,
  throttle: Pick<FailureThrottle, "check" | "failed">,
): CredentialThrottle {
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
