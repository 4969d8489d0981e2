/** A connection to PostgreSQL that sets the scope of rows before each query. */
import { AsyncResource } from "node:async_hooks";
import pg, { type Pool, type PoolClient } from "pg";
import { currentScope, NOTHING, type Scope } from "./scope.ts";

const TELL = "SELECT set_config('quarterdeck.workspace', $1, false)";
const BEGINS = /^\s*(?:begin|start\s+transaction)\b/i;
const ENDS = /^\s*(?:commit|end|abort|rollback)\b(?!\s+(?:(?:work|transaction)\s+)?to\b)/i;

interface Told {
  readonly scope: Scope;
  failure: Error | undefined;
}

type Callback = (error: Error | null | undefined, result?: unknown) => void;

/**
 * A client of `pg` for connections that serve one scope after another.
 *
 * It sets the scope in PostgreSQL when it differs from the last one, in front of the query, and only between two
 * transactions: a transaction keeps the scope it began in, so no rollback can undo the setting. A result is returned
 * only when PostgreSQL has confirmed the scope of the query.
 */
export class LastingClient extends pg.Client {
  private readonly outside: Scope;
  /** No scope has been set in PostgreSQL yet. */
  private told: Told = { scope: "", failure: undefined };
  private isInTransaction = false;

  /** `outside` is the scope of a query that was sent outside of every scope. */
  constructor(config?: string | (pg.ClientConfig & { readonly outside?: Scope })) {
    super(config);
    this.outside = (typeof config === "object" ? config.outside : undefined) ?? NOTHING;
    // PostgreSQL may end a connection while it is idle or after it was discarded. An `error` event without a listener
    // would end the process; a pending query fails anyway.
    this.on("error", () => undefined);
    // Holds: every overload of `query` is passed on unchanged; only its result is checked.
    this.query = ((...asked: unknown[]) => this.ask(asked)) as typeof this.query;
  }

  private ask(asked: unknown[]): unknown {
    if (!this.isInTransaction) this.tell(currentScope() ?? this.outside);
    const text = textOf(asked[0]);
    this.isInTransaction = BEGINS.test(text) || (this.isInTransaction && !ENDS.test(text));
    const { told } = this;
    // Holds: the shapes are pg's own.
    const send = super.query.bind(this) as (...asked: unknown[]) => Promise<unknown> | undefined;
    const last = asked.at(-1);
    if (typeof last === "function") {
      const callback = last as Callback; // its only function is the last
      return send(...asked.slice(0, -1), ((error, result) =>
        told.failure ? callback(told.failure) : callback(error, result)) satisfies Callback);
    }
    return send(...asked)?.then((result) => {
      if (told.failure) throw told.failure;
      return result;
    });
  }

  private tell(scope: Scope): void {
    if (scope === this.told.scope && !this.told.failure) return;
    const told: Told = { scope, failure: undefined };
    this.told = told;
    // A callback, not a promise: it runs before the result of the following query is processed.
    void super.query({ name: "scope", text: TELL, values: [scope] }, (error: Error | null) => {
      if (error) told.failure = error;
    });
  }
}

function textOf(query: unknown): string {
  if (typeof query === "string") return query;
  return typeof query === "object" && query !== null && "text" in query ? String(query.text) : "";
}

const SQLSTATE_TOO_MANY_CONNECTIONS = "53300";

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void;

/** As `AsyncResource.bind`, which defines properties on each function and so costs as much as a short query's parameters. */
function inOwnContext(callback: Connected): Connected {
  const caller = new AsyncResource("connection");
  return (error, client, done) => caller.runInAsyncScope(callback, undefined, error, client, done);
}

/**
 * Makes a pool call back in the scope of the caller. A pool hands a freed connection to the next waiter inside the
 * releasing code's context, so `pool.query` would run in the wrong scope.
 *
 * Errors: as of a PostgreSQL without room for one more connection, when `waitingMax` callers already wait for one.
 */
export function keepingScopes<P extends Pool>(pool: P, waitingMax = Number.POSITIVE_INFINITY): P {
  const connect = pool.connect.bind(pool);
  const keeping = (callback?: Connected) => {
    if (pool.waitingCount < waitingMax) return callback ? connect(inOwnContext(callback)) : connect();
    const refusal = Object.assign(new Error(`${waitingMax} wait for a connection`), {
      code: SQLSTATE_TOO_MANY_CONNECTIONS,
    });
    if (!callback) return Promise.reject(refusal);
    process.nextTick(inOwnContext(callback), refusal, undefined, () => undefined);
    return undefined;
  };
  return Object.assign(pool, { connect: keeping as Pool["connect"] }); // the same two shapes
}
