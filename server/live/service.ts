/**
 * The bus: who changed what, within this process and, over NOTIFY, between the nodes of one database.
 * It carries topics, never data: a message lost costs a refetch, not a wrong number.
 */
import { EventEmitter } from "node:events";
import pg from "pg";
import { z } from "zod";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { type Topic, topic } from "./schema.ts";

export type { Topic } from "./schema.ts";

const CHANNEL = "quarterdeck";
const RECONNECT_MS = 500;
const heardMessage = z.object({ node: z.string(), workspace: z.string(), topics: z.array(topic) });

export interface Bus {
  readonly channel: string;
  /** The NOTIFY payload that tells other nodes; send it inside the transaction of the change. */
  message(workspaceId: string, topics: readonly Topic[]): string;
  /** Tells this process; call it after the commit. */
  announce(workspaceId: string, topics: readonly Topic[]): void;
  /** Tells every process, for changes whose transaction told nobody. Nothing waits for it; when it is lost, a screen is late. */
  tell(workspaceId: string, topics: readonly Topic[]): void;
  /** `listener` gets each workspace's changes; `workspaceId` null and every topic after a gap. Answers how to stop. */
  subscribe(listener: (workspaceId: string | null, topics: readonly Topic[]) => void): () => void;
  close(): Promise<void>;
}

export function createBus(url: string, log: Log): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const node = uuidv7();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: "quarterdeck bus", keepAlive: true });
    client = next;
    next.on("notification", ({ payload }) => receive(payload ?? ""));
    next.on("error", () => undefined);
    next.on("end", reconnect);
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
      // Whatever was said while nobody listened is unknown.
      emitter.emit("change", null, topic.options);
    } catch (error) {
      log.debug({ err: error }, "the bus cannot reach PostgreSQL");
      await next.end().catch(() => undefined);
      reconnect();
    }
  }

  function reconnect(): void {
    if (isClosed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, RECONNECT_MS);
  }

  function receive(payload: string): void {
    try {
      const heard = heardMessage.parse(JSON.parse(payload));
      if (heard.node !== node) emitter.emit("change", heard.workspace, heard.topics);
    } catch (error) {
      log.warn({ err: error }, "a message on the bus was not understood");
    }
  }

  const message = (workspace: string, topics: readonly Topic[]) => JSON.stringify({ node, workspace, topics });

  void connect();
  return {
    channel: CHANNEL,
    message,
    announce: (workspaceId, topics) => void emitter.emit("change", workspaceId, topics),
    tell(workspaceId, topics) {
      emitter.emit("change", workspaceId, topics);
      client?.query("SELECT pg_notify($1, $2)", [CHANNEL, message(workspaceId, topics)]).catch(() => undefined);
    },
    subscribe(listener) {
      emitter.on("change", listener);
      return () => void emitter.off("change", listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
