/**
 * A process's connection for NOTIFY. It tests itself every second, and is replaced when the test fails. A connection
 * can die without an error (a frozen backend, a NAT timeout, a partition).
 */
import pg from "pg";
import type { Log } from "../platform/log.ts";

const RECONNECT_MS = 500;
const CONNECT_MS = 2_000;
const BEAT_MS = 1_000;
/** One heartbeat may be late; after two missing ones, caches are not trusted. */
const CURRENT_MS = 2_000;
const LOST_MS = 2_500;

export interface ListenerOptions {
  readonly url: string;
  /** The channels, each with what is done with its messages. */
  readonly channels: ReadonlyMap<string, (payload: string) => void>;
  /** Channel of this process alone: it sends itself a message there to prove that messages arrive. */
  readonly ownChannel: string;
  readonly log: Log;
  /** Messages may have been missed until now. */
  readonly onConnected: () => void;
}

export interface Listener {
  /** Sends over the listening connection, all or none. Errors: not connected, or those of the connection. */
  notify(channel: string, payloads: readonly string[]): Promise<void>;
  /**
   * Resolves when everything committed before the call has been received. Errors: not connected, or those of the
   * connection.
   */
  catchUp(): Promise<void>;
  /** True while everything that was committed up to two seconds ago has been heard. */
  isCurrent(): boolean;
  close(): Promise<void>;
}

export function createListener(options: ListenerOptions): Listener {
  const { url, channels, ownChannel, log, onConnected } = options;
  let client: pg.Client | null = null;
  let reconnecting: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** The time when the newest heartbeat that returned was sent; PostgreSQL delivers in the order of commits. */
  let heardUpToMs = Number.NEGATIVE_INFINITY;

  const ageMs = () => performance.now() - heardUpToMs;

  async function connect(): Promise<void> {
    const next = newClient(url);
    client = next;
    next.on("notification", (heard) => {
      if (next !== client) return;
      if (heard.channel === ownChannel) heardUpToMs = Math.max(heardUpToMs, Number(heard.payload));
      else channels.get(heard.channel)?.(heard.payload ?? "");
    });
    next.on("error", () => undefined);
    next.on("end", () => reconnect(next));
    try {
      await next.connect();
      const connectedMs = performance.now();
      for (const each of [...channels.keys(), ownChannel]) await next.query(`LISTEN ${pg.escapeIdentifier(each)}`);
      // Messages sent while the connection was down are unknown, so caches are invalidated.
      onConnected();
      heardUpToMs = connectedMs;
    } catch (error) {
      log.debug({ err: error }, "the bus cannot reach PostgreSQL");
      drop(next);
    }
  }

  function drop(lost: pg.Client): void {
    destroy(lost);
    reconnect(lost);
  }

  function reconnect(lost: pg.Client): void {
    if (isClosed || reconnecting || lost !== client) return;
    client = null;
    heardUpToMs = Number.NEGATIVE_INFINITY;
    reconnecting = setTimeout(() => {
      reconnecting = undefined;
      void connect();
    }, RECONNECT_MS);
  }

  function beat(): void {
    if (client === null || heardUpToMs === Number.NEGATIVE_INFINITY) return; // connecting
    if (ageMs() > LOST_MS) {
      log.warn("the connection that hears of changes does not answer and is made anew");
      drop(client);
      return;
    }
    client.query("SELECT pg_notify($1, $2)", [ownChannel, String(performance.now())]).catch(() => undefined);
  }

  const beating = setInterval(beat, BEAT_MS);
  beating.unref();
  void connect();
  return {
    async notify(channel, payloads) {
      if (client === null) throw new Error("the bus is not connected");
      await client.query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [channel, payloads]);
    },
    async catchUp() {
      if (client === null) throw new Error("the bus is not connected");
      // PostgreSQL delivers pending notifications before it reports the end of a query.
      await client.query("SELECT 1");
    },
    isCurrent: () => client !== null && ageMs() < CURRENT_MS,
    async close() {
      isClosed = true;
      clearInterval(beating);
      clearTimeout(reconnecting);
      if (client !== null) await end(client);
    },
  };
}

const newClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: "quarterdeck listener",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    // A beat leaves without waiting for the messages before it.
    pipeline: true,
  });

/** A polite goodbye would wait for an answer that may never come. */
function destroy(client: pg.Client): void {
  client.connection.stream.destroy();
}

async function end(client: pg.Client): Promise<void> {
  const limit = setTimeout(() => destroy(client), CONNECT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(limit);
}
