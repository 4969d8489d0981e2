/**
 * The bus: who changed what, within this process and, over NOTIFY, between the nodes of one database.
 * It carries topics, never data: a message lost costs a refetch, not a wrong number.
 */
import { EventEmitter } from "node:events";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import type { ChangePosition } from "../access/heard-schema.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { createListener } from "./listener.ts";
import { type Topic, topic } from "./schema.ts";

const CHANNEL = "quarterdeck";
const SIGNALS = "quarterdeck signals";
const heardMessage = z.object({ node: z.string(), workspace: z.string(), topics: z.array(topic) });
const heardSignal = z.object({ node: z.string(), topic: z.string(), value: z.unknown() });

export interface Bus {
  readonly channel: string;
  /** The number of changes that this process has received, with its name; a change counts before its listeners run. */
  position(): ChangePosition;
  /** The NOTIFY payload for other nodes; send it inside the transaction of the change. */
  message(workspaceId: string, topics: readonly Topic[]): string;
  /** Notifies this process; call it after the commit. */
  announce(workspaceId: string, topics: readonly Topic[]): void;
  /**
   * Announces a change to every process when its transaction did not; call it after the commit. Runs in the background.
   * The first message is sent at once; topics that arrive during it, shortly after it, or while PostgreSQL is
   * unavailable are combined in the next.
   */
  tell(workspaceId: string, topics: readonly Topic[]): void;
  /**
   * Calls `listener` with each workspace's changes; after a gap with a null `workspaceId` and every topic. A listener
   * that refreshes a cache resolves when it is done. Returns a function that unsubscribes.
   */
  subscribe(listener: (workspaceId: string | null, topics: readonly Topic[]) => void | Promise<void>): () => void;
  /**
   * True while every change of the last two seconds would have been received. Otherwise a process's caches of shared
   * data (keys, policies, judges) may be out of date and must be read again.
   */
  isCurrent(): boolean;
  /**
   * Resolves when this process has received every change committed before the call and refreshed its caches, or knows
   * that it receives nothing: then it does not trust its caches.
   */
  catchUp(): Promise<void>;
  /** Sends a small value to every other process. It is sent at once or not at all: no change of data belongs here. */
  signal(topic: string, value: unknown): void;
  /** Sets what this process does with such values. */
  onSignal(topic: string, listener: (value: unknown) => void): void;
  /** Sends what still waits, and ends the connection. */
  close(): Promise<void>;
}

/** Workspaces whose unsent changes are kept while PostgreSQL is unavailable. */
const UNSENT_MAX = 1_000;
/**
 * The pause between two messages: each message wakes every process, and a screen is notified at most ten times a
 * second.
 */
const PAUSE_MS = 20;

export function createBus(url: string, log: Log): Bus {
  const subscribers = createSubscribers();
  const node = uuidv7();
  const unsent = createUnsent(log);
  /** The sending of messages and the pause after it; null when idle. */
  let underWay: Promise<void> | null = null;
  const signals = new Map<string, (value: unknown) => void>();
  const listener = createListener({
    url,
    channels: new Map([
      [CHANNEL, receive],
      [SIGNALS, receiveSignal],
    ]),
    ownChannel: `${CHANNEL} ${node}`,
    log,
    onConnected() {
      // Changes sent while the connection was down are unknown.
      subscribers.emit(null, topic.options);
      send();
    },
  });

  function receive(payload: string): void {
    try {
      const heard = heardMessage.parse(JSON.parse(payload));
      if (heard.node !== node) subscribers.emit(heard.workspace, heard.topics);
    } catch (error) {
      log.warn({ err: error }, "a message on the bus was not understood");
    }
  }

  function receiveSignal(payload: string): void {
    try {
      const heard = heardSignal.parse(JSON.parse(payload));
      if (heard.node !== node) signals.get(heard.topic)?.(heard.value);
    } catch (error) {
      log.warn({ err: error }, "a signal on the bus was not understood");
    }
  }

  const message = (workspace: string, topics: readonly Topic[]) => JSON.stringify({ node, workspace, topics });

  function send(): void {
    if (underWay !== null) return;
    const leaving = unsent.take();
    if (leaving.length === 0) return;
    const messages = leaving.map(([workspaceId, topics]) => message(workspaceId, topics));
    const sent = listener.notify(CHANNEL, messages).then(() => setTimeout(PAUSE_MS, undefined, { ref: false }));
    underWay = sent.then(
      () => {
        underWay = null;
        send();
      },
      () => {
        underWay = null;
        // For the next change, or the next connection.
        for (const [workspaceId, topics] of leaving) unsent.keep(workspaceId, topics);
      },
    );
  }

  return {
    channel: CHANNEL,
    position: () => ({ node, sequence: subscribers.sequence() }),
    message,
    announce: subscribers.emit,
    tell(workspaceId, topics) {
      subscribers.emit(workspaceId, topics);
      unsent.keep(workspaceId, topics);
      send();
    },
    subscribe: subscribers.subscribe,
    async catchUp() {
      await listener.catchUp().catch(() => undefined);
      await subscribers.answered();
    },
    isCurrent: listener.isCurrent,
    signal: (topic, value) =>
      void listener.notify(SIGNALS, [JSON.stringify({ node, topic, value })]).catch(() => undefined),
    onSignal: (topic, listen) => void signals.set(topic, listen),
    async close() {
      // The end of one send starts the next if more messages have arrived.
      await underWay;
      await underWay;
      await listener.close();
    },
  };
}

function createSubscribers() {
  const emitter = new EventEmitter().setMaxListeners(0);
  /** Listeners that have heard and still ask. */
  const asking = new Set<Promise<unknown> | undefined>();
  let sequence = 0;
  return {
    sequence: () => sequence,
    emit(workspaceId: string | null, topics: readonly Topic[]): void {
      sequence += 1;
      emitter.emit("change", workspaceId, topics);
    },
    subscribe(handler: Parameters<Bus["subscribe"]>[0]): () => void {
      const onChange = (workspaceId: string | null, topics: readonly Topic[]) => {
        const done = handler(workspaceId, topics)?.finally(() => asking.delete(done));
        if (done) asking.add(done);
      };
      emitter.on("change", onChange);
      return () => void emitter.off("change", onChange);
    },
    answered: () => Promise.allSettled(asking),
  };
}

/** The topics that wait to be sent, by workspace. */
function createUnsent(log: Log) {
  const unsent = new Map<string, Set<Topic>>();
  return {
    keep(workspaceId: string, topics: readonly Topic[]): void {
      if (unsent.size >= UNSENT_MAX && !unsent.has(workspaceId)) {
        log.warn({ workspaceId, topics }, "too many changes wait for PostgreSQL: screens on other nodes may be late");
        return;
      }
      unsent.set(workspaceId, new Set([...(unsent.get(workspaceId) ?? []), ...topics]));
    },
    /** Returns all pending changes. */
    take() {
      const leaving = [...unsent].map(([workspaceId, topics]) => [workspaceId, [...topics]] as const);
      unsent.clear();
      return leaving;
    },
  };
}
