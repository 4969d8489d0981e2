/**
 * The pressure level of this node and of the nodes of its database: the highest that any gateway has sent lately. A
 * signal counts for a short time only, so a lost one, or a gateway that died, ends by itself.
 */
import { EventEmitter } from "node:events";
import { z } from "zod";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { LEVEL_MAX } from "./controller.ts";
import { EXPORT_WAIT_MS_MAX, YIELDS_AT } from "./yielding.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly pressure: Pressure;
  }
}

/** Milliseconds that a signal counts. */
export const SIGNAL_MS = 1_500;
const EXPIRE_EVERY_MS = 100;
/**
 * Milliseconds that the newest sequence of a source is remembered. NOTIFY brings signals late while PostgreSQL is slow; a
 * late one must not count again.
 */
const REMEMBER_MS = 60_000;
/** Gateways of one database that are remembered. One more takes the place of the one that was silent longest. */
const SOURCES_MAX = 256;
const TOPIC = "pressure";

const pressureSignal = z.strictObject({
  /** The gateway process that measured. */
  source: z.string().max(64),
  /** Rises with each signal of a source; an older one is ignored. */
  sequence: z.int().min(0),
  level: z.int().min(0).max(LEVEL_MAX),
});
export type PressureSignal = z.infer<typeof pressureSignal>;

export interface Pressure {
  /** From 0, without any, to 5. */
  readonly level: number;
  /**
   * The highest level of the newest pressure and when it ended, in milliseconds since 1970; null when there was none
   * since the start.
   */
  readonly last: { readonly level: number; readonly atMs: number } | null;
  /** Sends a signal to the processes of this node, and to the other nodes. */
  send(signal: PressureSignal): void;
  /** Calls `listener` after each change of the level. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /**
   * True once the level is below `level`; false when that takes longer than `limitMs`, or when `signal` is aborted
   * first.
   */
  untilBelow(level: number, limitMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Waits before each page of an export while exports give way. `gone` ends the wait when the reader is gone. */
  exportTurn(gone?: AbortSignal): Promise<void>;
  close(): void;
}

/** The line to the other nodes. */
interface Signals {
  signal(topic: string, value: unknown): void;
  onSignal(topic: string, listener: (value: unknown) => void): void;
}

export interface PressureOptions {
  readonly workerRpc: Pick<WorkerRpc, "broadcast" | "onBroadcast">;
  readonly bus: Signals;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
}

interface Heard {
  readonly level: number;
  readonly sequence: number;
  readonly atMs: number;
}

export function createPressure({ workerRpc, bus, nowMs = () => performance.now() }: PressureOptions): Pressure {
  const changes = new EventEmitter().setMaxListeners(0);
  const heard = new Map<string, Heard>();
  let level = 0;
  let last: Pressure["last"] = null;
  let expiring: NodeJS.Timeout | undefined;

  /** The highest level of the signals that count. */
  function highest(): number {
    const atMs = nowMs();
    let found = 0;
    for (const [source, one] of heard) {
      if (atMs - one.atMs > REMEMBER_MS) heard.delete(source);
      else if (atMs - one.atMs <= SIGNAL_MS) found = Math.max(found, one.level);
    }
    return found;
  }

  function update(): void {
    const now = highest();
    if (now > 0) last = { level: level === 0 ? now : Math.max(now, last?.level ?? 0), atMs: Date.now() };
    if (now === 0) {
      clearInterval(expiring);
      expiring = undefined;
    } else expiring ??= setInterval(update, EXPIRE_EVERY_MS).unref();
    if (now === level) return;
    level = now;
    changes.emit("change");
  }

  function hear(value: unknown): void {
    const signal = pressureSignal.safeParse(value).data;
    if (signal === undefined) return;
    const known = heard.get(signal.source);
    if (known !== undefined && signal.sequence <= known.sequence) return;
    // The map has the order in which its sources were last heard.
    heard.delete(signal.source);
    const [longestSilent] = heard.keys();
    if (heard.size >= SOURCES_MAX && longestSilent !== undefined) heard.delete(longestSilent);
    heard.set(signal.source, { level: signal.level, sequence: signal.sequence, atMs: nowMs() });
    update();
  }

  workerRpc.onBroadcast(TOPIC, hear);
  bus.onSignal(TOPIC, hear);

  function onChange(listener: () => void): () => void {
    changes.on("change", listener);
    return () => void changes.off("change", listener);
  }

  function untilBelow(wanted: number, limitMs: number, signal?: AbortSignal): Promise<boolean> {
    if (level < wanted) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = () => {
        if (level >= wanted && !signal?.aborted && !isOver) return;
        clearTimeout(timer);
        stop();
        signal?.removeEventListener("abort", end);
        resolve(level < wanted);
      };
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        end();
      }, limitMs);
      const stop = onChange(end);
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
    });
  }

  return {
    get level() {
      return level;
    },
    get last() {
      return last;
    },
    send(signal) {
      hear(signal);
      workerRpc.broadcast(TOPIC, signal);
      bus.signal(TOPIC, signal);
    },
    onChange,
    untilBelow,
    async exportTurn(gone) {
      await untilBelow(YIELDS_AT.exports, EXPORT_WAIT_MS_MAX, gone);
    },
    close: () => clearInterval(expiring),
  };
}
