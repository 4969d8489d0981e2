/** Every refusal leaves in one shape: `{error: {code, message, detail?, pointer?}}`. */
import type { ServerResponse } from "node:http";
import { type AppError, asAppError } from "../errors/app-error.ts";
import type { Log } from "../platform/log.ts";
import { createLogFolding } from "../platform/log-folding.ts";

const RETRY_SECONDS = 1;

/** The body of a refusal. */
export function failureBody(failure: AppError): string {
  const { pointer, problems } = failure.options;
  const detail = problems?.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("\n");
  return JSON.stringify({
    error: {
      code: failure.code,
      message: failure.message,
      ...(detail ? { detail } : {}),
      ...(pointer === undefined ? {} : { pointer }),
    },
  });
}

/** Answers with the thrown error, unless the response has been sent or the client is gone. */
export function sendFailure(response: ServerResponse, thrown: unknown, log: Log, headers: Record<string, string> = {}) {
  const failure = asAppError(thrown);
  if (!failure.expected) logFault(failure, thrown, log);
  if (response.destroyed || response.writableEnded) return failure;
  if (response.headersSent) {
    response.destroy();
    return failure;
  }
  const body = failureBody(failure);
  const { status } = failure;
  const mayRetry = status === 429 || status === 503;
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...(mayRetry ? { "retry-after": String(failure.options.retryAfterSeconds ?? RETRY_SECONDS) } : {}),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    // The rest of this body may be hours away.
    ...(failure.code === "body_too_slow" || failure.code === "body_incomplete" ? { connection: "close" } : {}),
    ...headers,
  });
  response.end(body);
  return failure;
}

/** A database that is away fails thousands of requests a second. */
const folding = createLogFolding(10_000);

/** Logs an unexpected error. Repeated errors are folded, so an unavailable database is logged once. */
export function logFault(failure: AppError, thrown: unknown, log: Log): void {
  const alike = folding.admit(failure.code);
  if (alike === null) return;
  const cause = failure.options.cause ?? thrown;
  log.error({ err: cause, code: failure.code, detail: failure.detail, alike }, "a request failed");
}
