/**
 * Sheds load, so that gates are still answered when there is too much to do: first reports, which their senders keep
 * and send again, then observing events and people's reads. Refused requests are counted, and the counts are written
 * afterwards, never during a request.
 */
import { hostname } from "node:os";
import { LOAD_CLASSES, type LoadClass } from "../access/load-class.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation } from "../platform/scope.ts";
import { isTooMuch, type Load, watchTurns } from "./pressure.ts";
import * as shed from "./repository.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** Sheds load. */
    readonly shedding: Shedding;
  }
}

export interface Shedding {
  /** Errors: `overloaded` while this class is turned away. */
  check(of: LoadClass): void;
  /** A request of this workspace was turned away. */
  count(workspaceId: string, of: LoadClass): void;
  /** Writes the counts. */
  close(): Promise<void>;
}

export interface SheddingOptions {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock: Pick<Clock, "now">;
  /** The fill level of the recorder's queue, from 0 to 1. */
  readonly queue: () => number;
  /** For tests: a given load, instead of this process's. */
  readonly load?: () => Load;
}

const RETRY_SECONDS: Readonly<Record<LoadClass, number>> = { gate: 1, dispatch: 2, console: 2, report: 5 };
const LOOK_EVERY_MS = 1_000;
/** An overload ends after this long without a refusal; a longer one is written in parts. */
const QUIET_MS = 5_000;
const PART_MS_MAX = 60_000;

interface Counted {
  readonly workspaceId: string;
  readonly class: LoadClass;
  readonly fromMs: number;
  toMs: number;
  requests: number;
}

export function createShedding(options: SheddingOptions): Shedding {
  const { pool, bus, log, clock, queue } = options;
  const turns = watchTurns();
  const load = options.load ?? (() => ({ queue: queue(), turnMs: turns.turnMs() }));
  const counted = new Map<string, Counted>();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const nowMs = clock.now();
    const isOver = ({ fromMs, toMs }: Counted) => nowMs - toMs >= QUIET_MS || nowMs - fromMs >= PART_MS_MAX;
    writing = writing.then(() => write([...counted].filter(([, one]) => isOver(one))));
  }, LOOK_EVERY_MS).unref();

  async function write(due: readonly (readonly [string, Counted])[]): Promise<void> {
    if (due.length === 0) return;
    for (const [key] of due) counted.delete(key);
    const node = hostname();
    const rows = due.map(([, { workspaceId, class: of, fromMs, toMs, requests }]) => ({
      workspaceId,
      id: uuidv7(),
      node,
      class: of,
      from: new Date(fromMs),
      to: new Date(toMs),
      requests,
    }));
    try {
      await inInstallation(() => shed.insert(pool, rows));
      for (const { workspaceId } of rows) bus.tell(workspaceId, ["overview"]);
    } catch (error) {
      log.warn({ err: error }, "what was turned away could not be written down yet");
      for (const [key, one] of due) again(key, one);
    }
  }

  /** Keeps the counts for the next attempt, together with newer ones. */
  function again(key: string, one: Counted): void {
    const since = counted.get(key);
    if (!since) counted.set(key, one);
    else counted.set(key, { ...one, toMs: since.toMs, requests: one.requests + since.requests });
  }

  return {
    check(of) {
      if (!isTooMuch(load(), of)) return;
      throw new AppError("overloaded", `${of} requests are turned away`, { retryAfterSeconds: RETRY_SECONDS[of] });
    },
    count(workspaceId, of) {
      const nowMs = clock.now();
      const key = `${workspaceId} ${of}`;
      const known = counted.get(key);
      if (!known) {
        log.warn({ workspaceId, class: of }, "requests are turned away: there is too much to do");
        counted.set(key, { workspaceId, class: of, fromMs: nowMs, toMs: nowMs, requests: 1 });
        return;
      }
      known.toMs = nowMs;
      known.requests += 1;
    },
    async close() {
      clearInterval(timer);
      turns.close();
      await writing;
      await write([...counted]);
    },
  };
}

export interface TurnedAway {
  /** By class, the longest overload first. */
  readonly shed: readonly shed.Shed[];
  /** Runs of observed policies that were dropped. */
  readonly dropped: number;
}

/** The requests and observed runs of this workspace that were refused since `from` because of load. */
export async function turnedAway(db: Database, workspaceId: string, from: Date): Promise<TurnedAway> {
  const [sums, dropped] = await Promise.all([
    shed.sumBy(db.pool, workspaceId, from),
    shed.countDropped(db.pool, workspaceId, from),
  ]);
  const inOrder = sums.toSorted((a, b) => LOAD_CLASSES.indexOf(a.class) - LOAD_CLASSES.indexOf(b.class));
  return { shed: inOrder, dropped };
}
