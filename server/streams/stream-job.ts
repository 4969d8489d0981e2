/**
 * The job that sends streams, in the jobs process with connections of its own. A slow receiver holds up only its own
 * stream, and no gate waits for any of them.
 */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { type Pressure, YIELDS_AT } from "../pressure/index.ts";
import type { Receiver } from "./receivers/receiver.ts";
import type { StoredStream } from "./repository.ts";
import * as turns from "./turns/repository.ts";
import { openReceiver, runTurn, TURN_LIMITS, type TurnWorld } from "./turns/run-turn.ts";

/** Streams that are sent at the same time. */
const TOGETHER_MAX = 16;
/** Receivers that stay open between turns; more than are in use at the same time. */
const RECEIVERS_MAX = 64;
/** Without news, and without any that could be missed. */
const POLL_MS = { heard: 2_000, unheard: 250 } as const;
/** Between two looks while records arrive. */
const LOOK_MS = 100;
const GIVE_WAY_MS = 2_000;
/** A stream that fails for long is logged at its first attempts, then at each of this many. */
const LOGGED_EVERY = 60;

export interface StreamJob {
  /** Resolves when every stream that was due has had a turn. */
  turn(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export interface StreamJobOptions {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  readonly addresses: AddressRule;
  readonly key: Buffer;
  readonly pressure?: Pick<Pressure, "untilBelow">;
  readonly limits?: Partial<typeof TURN_LIMITS>;
}

export function createStreamJob({ pool, bus, log, addresses, key, pressure, limits }: StreamJobOptions): StreamJob {
  const running = new Set<Promise<void>>();
  let unsubscribe: (() => void) | null = null;
  let wake = () => {};
  let isWoken = false;
  const repeater = createRepeater({
    turn: async (signal) => {
      isWoken = false;
      await launch();
      await rest(signal);
      return LOOK_MS;
    },
    firstMs: LOOK_MS,
    retryMs: 1_000,
    onFailure: (err) => log.error({ err }, "streams could not be sent"),
  });

  const receivers = new LRUCache<string, Receiver>({ max: RECEIVERS_MAX, dispose: (receiver) => receiver.close() });
  const bounds = { ...TURN_LIMITS, ...limits };
  const world: Omit<TurnWorld, "signal"> = {
    ...{ pool, limits: bounds },
    receiverOf(stream) {
      const settings = settingsText(stream);
      const open = receivers.get(settings);
      if (open !== undefined) return open;
      const receiver = openReceiver({ addresses, key }, stream, bounds.requestMs);
      if (receiver !== null) receivers.set(settings, receiver);
      return receiver;
    },
    giveWay: async () => void (await pressure?.untilBelow(YIELDS_AT.exports, GIVE_WAY_MS, repeater.signal)),
    onFailure: ({ workspaceId, id }, attempts, error) => {
      if (attempts <= 2 || attempts % LOGGED_EVERY === 0)
        log.warn({ workspaceId, stream: id, attempts, error }, "a stream could not be sent");
    },
  };

  async function launch(): Promise<number> {
    const lease = randomUUID();
    const free = TOGETHER_MAX - running.size;
    if (free <= 0) return 0;
    const rows = await inInstallation(() => turns.claim(pool, lease, world.limits.leaseMs, free));
    for (const row of rows) {
      const work = inWorkspace(row.workspaceId, () => run(row, lease)).finally(() => {
        running.delete(work);
        wake();
      });
      running.add(work);
    }
    return rows.length;
  }

  async function run(row: Awaited<ReturnType<typeof turns.claim>>[number], lease: string): Promise<void> {
    const { workspaceId, id } = row;
    try {
      const dueMs = await runTurn({ ...world, signal: repeater.signal }, turns.toClaimed(row, lease));
      if (dueMs !== null) globalThis.setTimeout(() => wake(), dueMs).unref();
    } catch (err) {
      // The lease ends by itself, and the next turn tries again.
      log.error({ err, workspaceId, stream: id }, "a stream failed");
    }
    bus.tell(workspaceId, ["streams"]);
  }

  /** Until something was recorded, a turn ended, or the next look is due. */
  async function rest(signal: AbortSignal): Promise<void> {
    if (isWoken) return;
    const woken = new Promise<void>((resolve) => {
      wake = () => {
        isWoken = true;
        resolve();
      };
    });
    const ms = bus.isCurrent() ? POLL_MS.heard : POLL_MS.unheard;
    await Promise.race([woken, setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined)]);
  }

  return {
    async turn() {
      const count = await launch();
      await Promise.all(running);
      return count;
    },
    start() {
      unsubscribe = bus.subscribe((_workspaceId, topics) => {
        if (topics.includes("log") || topics.includes("audit")) wake();
      });
      repeater.start();
    },
    async stop() {
      unsubscribe?.();
      const stopped = repeater.stop();
      wake();
      await stopped;
      await Promise.all(running);
      receivers.clear();
    },
  };
}

/** The settings of a receiver: with other settings, it is another receiver. */
const settingsText = ({ workspaceId, id, kind, target, secret }: StoredStream): string =>
  JSON.stringify([workspaceId, id, kind, target, secret?.toString("base64")]);
