/**
 * The rows that the current work may touch. PostgreSQL enforces it (row-level security,
 * docs/adr/0018-row-level-security.md): a query that forgets its workspace finds no rows of another, and outside of
 * every scope it fails.
 *
 * A scope is entered once, at the edge where the workspace is known, and applies to everything awaited from there. A
 * transaction keeps the scope it began in.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** A workspace's id, or `INSTALLATION`. */
export type Scope = string;

/** All workspaces, and data of no workspace: identifying a session, a batch of several workspaces, the first run. */
export const INSTALLATION: Scope = "*";
/** No workspace at all. PostgreSQL repeats it in its error. */
export const NOTHING: Scope = "outside of every scope";

// One per process: a bundle may hold this module twice, and the connections are shared.
const shared = globalThis as { quarterdeckScope?: AsyncLocalStorage<Scope> };
shared.quarterdeckScope ??= new AsyncLocalStorage<Scope>();
const scopes = shared.quarterdeckScope;

export function inWorkspace<T>(workspaceId: string, work: () => T): T {
  return scopes.run(workspaceId, () => begun(work()));
}

export function inInstallation<T>(work: () => T): T {
  return scopes.run(INSTALLATION, () => begun(work()));
}

/** Prisma starts a query only when its result is awaited, which would be outside the scope. */
function begun<T>(result: T): T {
  if (!isThenable(result) || result instanceof Promise) return result;
  // Holds: every caller awaits a thenable.
  return new Promise((resolve, reject) => void result.then(resolve, reject)) as T;
}

function isThenable(result: unknown): result is PromiseLike<unknown> {
  return typeof result === "object" && result !== null && "then" in result && typeof result.then === "function";
}

export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

/** The values of `inside`, each taken as `enter` says: a generator runs where it is asked, not where it was made. */
export function eachWithin<T>(enter: <R>(work: () => R) => R, inside: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const steps = inside[Symbol.asyncIterator]();
      return {
        next: () => enter(() => steps.next()),
        return: async (value) => (await enter(() => steps.return?.(value))) ?? { done: true, value },
      };
    },
  };
}
