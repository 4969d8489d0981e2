/**
 * A read replica for pages. Each read first asks the primary for its log position. A connection to the replica is used
 * only once it has replayed up to that position, so it holds every change that was committed before the read began. A
 * replica that is unavailable or behind is replaced by the primary.
 *
 * Several replicas may share one address. The position seen at one of them raises the required position for the rest of
 * a read, so that rows are never older than the cursor read before them.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { StartupError } from "./env.ts";

/** A read waits this long for the replica, and then uses the primary. */
const CATCH_UP_MS = 500;
const PAUSES_MS = [1, 2, 4, 8, 16, 32];
const LOOK_EVERY_MS = 5_000;

export interface ReplicaStatus {
  /** `following`: pages read from it. In every other state they read from the primary. */
  readonly state: "starting" | "following" | "behind" | "away" | "refused";
  /** A sentence for people; null while it follows. */
  readonly says: string | null;
  /** The time that the replica needed to reach the primary's position, at the last check. */
  readonly lagMs: number | null;
  /** Reads of pages that the primary answered instead, since the start. */
  readonly fallbacks: number;
}

export interface ReadReplica {
  /** The connections for one read that begins now; null when the primary is to be asked. */
  beginRead(): Promise<Pool | null>;
  /** A read failed on a connection of `beginRead` that the replica broke, and is asked of the primary instead. */
  reportBroken(): void;
  status(): ReplicaStatus;
  /** Looks at the replica now, as it is done every few seconds. Never fails. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadReplicaOptions {
  readonly primary: Pool;
  readonly replica: Pool;
  /** Settles before the first read. Errors: a sentence on why the address cannot be used. */
  readonly check: () => Promise<void>;
  readonly endPool: (pool: Pool) => Promise<void>;
  /** True for an error that all connections are in use: the primary would be no less busy. */
  readonly isBusy: (error: unknown) => boolean;
  /** Told of each change of its state. */
  readonly onChange: (status: ReplicaStatus) => void;
}

/** The position that a server's log has reached. */
interface Position {
  readonly lsn: string;
  /** The cluster and the database in it. */
  readonly identity: string;
}

const IDENTITY = `(SELECT system_identifier::text FROM pg_control_system()) || '/' ||
  (SELECT oid::text FROM pg_database WHERE datname = current_database())`;
/** The flushed position, not the inserted one: it covers every visible commit, and a replica can reach it. */
const POSITION_SQL = `SELECT pg_current_wal_flush_lsn()::text AS lsn, ${IDENTITY} AS identity`;
const REPLAYED: QueryConfig & { query_timeout: number } = {
  name: "replayed",
  // pg honours a time limit per query; its types do not know yet.
  query_timeout: 1_000,
  text: `SELECT pg_is_in_recovery() AS "isReplica", ${IDENTITY} AS identity,
  coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "hasReplayed",
  greatest(pg_last_wal_replay_lsn(), $1::pg_lsn)::text AS lsn`,
};

interface Replayed extends Position {
  readonly isReplica: boolean;
  readonly hasReplayed: boolean;
}

/** The replica cannot answer this read. */
class ReplicaFault extends Error {
  override readonly name = "ReplicaFault";
  readonly state: "behind" | "away" | "refused";

  constructor(state: "behind" | "away" | "refused", says: string, cause?: unknown) {
    super(says, { cause });
    this.state = state;
  }
}

const REFUSED = {
  notAReplica: "DATABASE_READ_URL leads to a server that is no replica.",
  another: "DATABASE_READ_URL leads to another database than DATABASE_URL.",
};

/** The replica's status, and the changes of it. */
function createReplicaState(onChange: ReadReplicaOptions["onChange"]) {
  let status: ReplicaStatus = { state: "starting", says: "It was not reached yet.", lagMs: null, fallbacks: 0 };
  let isClosed = false;

  function change(state: ReplicaStatus["state"], says: string | null, lagMs: number | null): void {
    const isNews = state !== status.state || says !== status.says;
    status = { ...status, state, says, lagMs };
    if (isNews && !isClosed) onChange(status);
  }

  return {
    change,
    status: () => status,
    isFollowing: () => status.state === "following",
    isClosed: () => isClosed,
    blame(error: unknown): void {
      if (error instanceof ReplicaFault) change(error.state, error.message, null);
      else change("away", `It does not answer: ${error instanceof Error ? error.message : String(error)}.`, null);
    },
    countFallback() {
      status = { ...status, fallbacks: status.fallbacks + 1 };
    },
    close() {
      isClosed = true;
    },
  };
}

type ReplicaState = ReturnType<typeof createReplicaState>;

/** The primary's position. The reads that begin in one turn of the loop share one question. */
function createPosition(primary: Pool): () => Promise<Position> {
  let asked: Promise<Position> | undefined;
  return () => {
    asked ??= (async () => {
      await new Promise((resolve) => setImmediate(resolve));
      asked = undefined;
      const { rows } = await primary.query<Position>(POSITION_SQL);
      if (rows[0] === undefined) throw new Error("PostgreSQL answered without a row");
      return rows[0];
    })();
    return asked;
  };
}

/**
 * A connection that has replayed up to `target`, and its position. Errors: a `ReplicaFault`, those of the connection.
 */
async function connect(
  replica: Pool,
  target: Position,
): Promise<{ readonly client: PoolClient; readonly lsn: string }> {
  const client = await replica.connect();
  try {
    return { client, lsn: await untilReplayed(client, target) };
  } catch (error) {
    // Behind one address may be another server, which a new connection may reach.
    client.release(true);
    throw error;
  }
}

/** The replica's connections for reads from `from` on; where it fails, the primary's. */
function poolFrom(from: Position, { primary, replica, isBusy }: ReadReplicaOptions, state: ReplicaState): Pool {
  let target = from;
  async function take(): Promise<PoolClient> {
    if (!state.isFollowing()) return primary.connect();
    try {
      const { client, lsn } = await connect(replica, target);
      target = { ...target, lsn };
      return client;
    } catch (error) {
      if (isBusy(error)) throw error;
      state.blame(error);
      state.countFallback();
      return primary.connect();
    }
  }
  type Connected = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void;
  const either = (callback?: Connected) => {
    const taken = take();
    if (callback === undefined) return taken;
    taken.then(
      (client) => callback(undefined, client, (error?: Error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  };
  // Everything else of a pool, `query` among it, comes to `connect`.
  return Object.assign(Object.create(replica) as Pool, { connect: either as Pool["connect"] }); // the same two shapes
}

/** The replica is unused until the first check, which starts at once. */
export function createReadReplica(options: ReadReplicaOptions): ReadReplica {
  const { replica, check, endPool, isBusy } = options;
  const state = createReplicaState(options.onChange);
  const position = createPosition(options.primary);
  let isChecked = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  async function lookNow(): Promise<void> {
    try {
      if (!isChecked) await check();
      isChecked = true;
    } catch (error) {
      return state.blame(error instanceof StartupError ? new ReplicaFault("refused", error.message) : error);
    }
    const target = await position().catch(() => null);
    // Without the primary, the replica's lag is unknown, and pages cannot authenticate people.
    if (target === null) return;
    const startedMs = performance.now();
    try {
      const { client } = await connect(replica, target);
      client.release();
      state.change("following", null, Math.round(performance.now() - startedMs));
    } catch (error) {
      if (!isBusy(error)) state.blame(error);
    }
  }

  async function look(): Promise<void> {
    if (state.isClosed()) return;
    looking ??= lookNow().finally(() => {
      looking = undefined;
    });
    await looking;
  }

  const lookEveryNowAndThen = () => {
    void look().finally(() => {
      if (!state.isClosed()) timer = setTimeout(lookEveryNowAndThen, LOOK_EVERY_MS).unref();
    });
  };
  lookEveryNowAndThen();

  return {
    async beginRead() {
      if (state.isFollowing()) return poolFrom(await position(), options, state);
      state.countFallback();
      return null;
    },
    reportBroken() {
      state.countFallback();
      state.change("away", "It ended a connection while a page read from it.", null);
    },
    status: state.status,
    look,
    async close() {
      state.close();
      clearTimeout(timer);
      await endPool(replica);
      await looking;
    },
  };
}

async function untilReplayed(client: PoolClient, { lsn, identity }: Position): Promise<string> {
  const startedMs = performance.now();
  for (let tries = 0; ; tries += 1) {
    const { rows } = await client.query<Replayed>({ ...REPLAYED, values: [lsn] });
    const [found] = rows;
    if (found === undefined) throw new Error("PostgreSQL answered without a row");
    if (found.identity !== identity) throw new ReplicaFault("refused", REFUSED.another);
    if (!found.isReplica) throw new ReplicaFault("refused", REFUSED.notAReplica);
    if (found.hasReplayed) return found.lsn;
    if (performance.now() - startedMs > CATCH_UP_MS)
      throw new ReplicaFault("behind", `It is more than ${CATCH_UP_MS} ms behind the primary.`);
    await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0);
  }
}
