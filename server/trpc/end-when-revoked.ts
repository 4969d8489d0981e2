/** Ends a stream whose reader lost the right to it: removed, of another role, signed out, or with a revoked token. */
import { TRPCError } from "@trpc/server";
import { AppError } from "../errors/app-error.ts";
import type { Changes } from "./context.ts";

/** The longest time until an end by the clock alone, such as that of a token or an idle session, is noticed. */
const RECHECK_MS = 30_000;

export interface StreamReader {
  readonly changes: Changes;
  readonly workspaceId: string;
  /** Checks in the database that the credentials still give the same access as at the start of the stream. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/**
 * The values of `inside`, as long as its reader is allowed to see them. No value is sent during a check.
 *
 * Errors: `not_signed_in` at the end; its reader reconnects with its present identity.
 */
export async function* endWhenRevoked<T>(inside: AsyncIterable<T>, reader: StreamReader): AsyncGenerator<T> {
  const steps = inside[Symbol.asyncIterator]();
  let isRevoked = false;
  let wake: () => void = () => undefined;
  let checks = Promise.resolve();
  const check = () => {
    checks = checks.then(async () => {
      // A failed check ends the stream too: its reader reconnects.
      if (!isRevoked && !(await reader.isStillAllowed().catch(() => false))) isRevoked = true;
      if (isRevoked) wake();
    });
  };
  const stop = reader.changes.subscribe((workspaceId, topics) => {
    if ((workspaceId === null || workspaceId === reader.workspaceId) && topics.includes("access")) check();
  });
  const timer = setInterval(check, RECHECK_MS);
  try {
    for (;;) {
      const next = steps.next();
      const step = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
        wake = () => resolve(null);
        if (isRevoked) wake();
        next.then(resolve, reject);
      });
      await checks;
      if (isRevoked || step === null) throw revoked();
      if (step.done) return;
      yield step.value;
    }
  } finally {
    stop();
    clearInterval(timer);
    // It may wait for what never comes: it ends with the request's signal, and nothing waits for it here.
    void steps.return?.(undefined).catch(() => undefined);
  }
}

function revoked(): TRPCError {
  const cause = new AppError("not_signed_in");
  return new TRPCError({ code: "UNAUTHORIZED", message: cause.message, cause });
}
