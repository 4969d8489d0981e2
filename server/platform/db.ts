/**
 * The database handle: Prisma for governed rows, a `pg` pool for events and dashboards.
 *
 * Units: every timeout is milliseconds; a stopped or frozen PostgreSQL becomes an error within about five seconds.
 */
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { PrismaPg } from "@prisma/adapter-pg";
import pg, { type Pool, type PoolClient } from "pg";
import { type Prisma, PrismaClient } from "../../prisma/generated/client.ts";
import { keepingScopes, LastingClient } from "./connection.ts";
import { createReadReplica, type ReadReplica, type ReadReplicaOptions } from "./read-replica.ts";
import type { Scope } from "./scope.ts";

export type { Pool, PoolClient } from "pg";
export type { PrismaClient } from "../../prisma/generated/client.ts";
/** The client that a repository takes: the one inside a transaction. */
export type Tx = Prisma.TransactionClient;

export interface Database {
  /** Created with its first use. */
  readonly prisma: PrismaClient;
  readonly pool: Pool;
  /**
   * The source of lists and figures for pages (server/trpc/read-from-replica.ts); absent: `pool`, as for everything
   * else.
   */
  readonly replica?: ReadReplica;
  /** Ends every connection; returns after two seconds even when PostgreSQL does not answer. */
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 16;
const CONNECT_MS = 4_000;
const STATEMENT_MS = 5_000;
const IDLE_IN_TRANSACTION_MS = 15_000;
/**
 * Limit for a whole Prisma transaction. Each statement has its own limit, but a busy machine may pause between them.
 */
const TRANSACTION_MS = 15_000;
const CLOSE_MS = 2_000;
/** A plan made while a table is empty must also serve a full one, so sequential scans are disabled. */
const BY_KEY = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off";

export interface DatabaseOptions {
  /** Connections of the `pg` pool; Prisma's own pool holds half as many. */
  readonly connectionsMax?: number;
  /**
   * The number of callers that may wait for a connection of each pool; further callers are refused. No limit when
   * absent.
   */
  readonly waitingMax?: number;
  readonly onConnectionError?: (error: Error) => void;
  /**
   * The niceness of PostgreSQL's processes behind these connections (higher is later), if it runs on this machine as
   * our user.
   */
  readonly backendPriority?: number;
  /** Milliseconds to wait for a connection. */
  readonly connectMs?: number;
  /**
   * True to plan each statement once per connection, regardless of its values: for lookups by key, whose plan never
   * depends on them.
   */
  readonly isPlannedOnce?: boolean;
  /** The scope of queries outside of every scope: no rows, when absent. Only command-line tools set it. */
  readonly outside?: Scope;
}

/** Opens no connection yet: the first query connects. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const max = options.connectionsMax ?? CONNECTIONS_MAX;
  const pool = openPool(url, options);
  const onPoolError = (error: Error) => options.onConnectionError?.(error);
  const adapter = new ScopedAdapter(poolConfig(url, Math.ceil(max / 2), options), { onPoolError });
  adapter.asked = options;
  const { connectMs = CONNECT_MS } = options;
  const transactionOptions = { maxWait: connectMs, timeout: TRANSACTION_MS };
  let prisma: PrismaClient | undefined;
  return {
    get prisma() {
      prisma ??= createPrisma({ adapter, transactionOptions });
      return prisma;
    },
    pool,
    close: () => within(CLOSE_MS, Promise.allSettled([prisma?.$disconnect(), pool.end()])),
  };
}

/**
 * V8 optimises a function of Prisma's query compiler after about this many executed bytes. By default it begins with the first
 * query, and its compiler takes 15 to 20 MiB in each process.
 */
const COMPILER_TIERING_BYTES = 100_000_000;

/** Takes 12 MiB for its description of the tables, and more with its first query. */
function createPrisma(options: ConstructorParameters<typeof PrismaClient>[0]): PrismaClient {
  setFlagsFromString(`--wasm-tiering-budget=${COMPILER_TIERING_BYTES}`);
  return new PrismaClient(options);
}

function poolConfig(url: string, max: number, options: DatabaseOptions) {
  const { outside, connectMs = CONNECT_MS, isPlannedOnce = false } = options;
  return {
    connectionString: url,
    max,
    application_name: "quarterdeck",
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    // The server ends a slow statement; the client gives up on a server that cannot even do that.
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 500,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // Queries on one connection leave without waiting for each other: `flight` lives on it, and Prisma asks in parallel.
    pipeline: true,
    Client: LastingClient,
    ...(outside === undefined ? {} : { outside }),
    ...(isPlannedOnce ? { options: BY_KEY } : {}),
  };
}

/** A replica that hangs must not delay reads for long. */
const REPLICA_CONNECT_MS = 2_000;

/** The same database, with a replica of it at `url` to read from. Closing it closes both. */
export function withReplica(
  database: Database,
  url: string,
  { check, isBusy, onChange, ...options }: DatabaseOptions & Pick<ReadReplicaOptions, "check" | "isBusy" | "onChange">,
): Database {
  const pool = openPool(url, { ...options, connectMs: REPLICA_CONNECT_MS });
  const replica = createReadReplica({
    primary: database.pool,
    replica: pool,
    endPool: closePool,
    check,
    isBusy,
    onChange,
  });
  return {
    get prisma() {
      return database.prisma;
    },
    pool: database.pool,
    replica,
    async close() {
      await Promise.all([replica.close(), database.close()]);
    },
  };
}

/** Prisma's adapter for PostgreSQL, in the scope of the caller. */
class ScopedAdapter extends PrismaPg {
  asked: DatabaseOptions = {};

  // Not a pool of ours: the adapter knows a pool only by its class, and a bundle may hold pg twice.
  override async connect() {
    const adapter = await super.connect();
    givingWay(keepingScopes(adapter.underlyingDriver(), this.asked.waitingMax), this.asked);
    return adapter;
  }
}

/** A pool alone, for work that must not wait behind other work. Opens nothing yet. */
export function openPool(url: string, options: DatabaseOptions = {}): Pool {
  const { connectionsMax = CONNECTIONS_MAX, waitingMax, onConnectionError } = options;
  const pool = givingWay(keepingScopes(new pg.Pool(poolConfig(url, connectionsMax, options)), waitingMax), options);
  // An idle connection that PostgreSQL closes is replaced by the next query; unhandled, it would end the process.
  pool.on("error", (error) => onConnectionError?.(error));
  return pool;
}

/** Lowers the priority of PostgreSQL's processes for these connections. */
function givingWay(pool: Pool, { backendPriority }: DatabaseOptions): Pool {
  if (backendPriority === undefined) return pool;
  return pool.on("connect", (client) => {
    const pid: unknown = Reflect.get(client, "processID");
    if (typeof pid !== "number") return;
    try {
      setPriority(pid, backendPriority);
    } catch {
      // It has ended already, or is not ours: then it works like all others.
    }
  });
}

// pg honours a time limit per query; its types do not know yet.
const rollback: pg.QueryConfig & { query_timeout: number } = { text: "ROLLBACK", query_timeout: 500 };

/**
 * The result of `work`, committed. On any error nothing is stored, and a connection in doubt is discarded.
 *
 * Errors: those of `work` and of PostgreSQL. An error from COMMIT itself means that the outcome is unknown.
 */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let doubt: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query(rollback).catch((failure: unknown) => {
      doubt = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(doubt);
  }
}

/** Sends a query behind the ones before it, without waiting for them. Await the result only when it is needed. */
export type Send = <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;

/**
 * The result of `work`, committed. Queries are pipelined: only results that are awaited are waited for.
 *
 * Errors: that of the first failed query; then nothing is stored, because PostgreSQL refuses to commit. An error of the
 * connection or of COMMIT itself means that the outcome is unknown.
 */
export async function flight<T>(pool: Pool, work: (send: Send, client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let doubt: Error | undefined;
  const sent: Promise<unknown>[] = [];
  const gather = gathering(client);
  const send: Send = <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => {
    gather();
    const result = client.query<Row>(query);
    sent.push(result);
    // Checked below; the handler prevents an unhandled rejection until then.
    result.catch(() => undefined);
    return result;
  };
  try {
    void send({ text: "BEGIN" });
    const result = await work(send, client);
    const committed = send({ text: "COMMIT" });
    for (const settled of await Promise.allSettled(sent)) if (settled.status === "rejected") throw settled.reason;
    const { command } = await committed;
    if (command !== "COMMIT") throw new Error(`PostgreSQL answered ${command} to COMMIT`);
    return result;
  } catch (error) {
    // The connection is discarded, together with queries still running on it.
    doubt = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(doubt);
  }
}

/** Combines everything sent until the end of this tick into one write to the socket. */
function gathering(client: PoolClient): () => void {
  const stream = client instanceof pg.Client ? client.connection.stream : null;
  let isGathering = false;
  return () => {
    if (isGathering || stream === null) return;
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };
}

/** Ends every connection of a pool; returns after two seconds even when PostgreSQL does not answer. */
export const closePool = (pool: Pool): Promise<void> => within(CLOSE_MS, pool.end());

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
