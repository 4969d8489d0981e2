/**
 * Refuses what gives way while gates wait: first reports, which their senders keep and send again, then people's reads
 * and observing events. A gate is refused only where its wait would be useless. Refused requests are counted, and the
 * counts are written afterwards, never during a request.
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
import { LEVEL_MAX, type Pressure, READ_WAIT_MS_MAX, YIELDS_AT } from "../pressure/index.ts";
import * as shed from "./repository.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** Sheds load. */
    readonly shedding: Shedding;
  }
}

export interface Shedding {
  /**
   * `callerMs`: how long the caller waits for its answer. Errors: `busy` while reports give way, `overloaded` while
   * another class does, and for a gate that would wait too long.
   */
  check(of: LoadClass, callerMs?: number): void;
  /** Waits up to two seconds for the turn of a class that waits before it is refused; then `check` says whether. */
  turn(of: LoadClass, gone?: AbortSignal): Promise<void>;
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
  readonly pressure: Pick<Pressure, "level" | "untilBelow">;
  /** Milliseconds that a gate which arrives now will wait for its record. */
  readonly expectedMs: () => number;
}

/** Where each class gives way; a gate has its own rule. */
const REFUSED_AT: Readonly<Record<Exclude<LoadClass, "gate">, number>> = {
  report: YIELDS_AT.reports,
  console: YIELDS_AT.reads,
  dispatch: YIELDS_AT.observers,
};
/** At the highest level everything else has given way, and a gate waits no longer than this. */
const GATE_WAIT_MS_MAX = 500;
/** The time of a caller that states none. */
const CALLER_MS = 10_000;
/** Requests of one process that wait for their turn; each holds a connection and its parsed head. */
const WAITING_MAX = 256;

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
  const { pool, bus, log, clock, pressure, expectedMs } = options;
  let waiting = 0;
  const counted = new Map<string, Counted>();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const nowMs = clock.now();
    // A clock that was set back ends it too.
    const isOver = ({ fromMs, toMs }: Counted) =>
      nowMs < fromMs || nowMs - toMs >= QUIET_MS || nowMs - fromMs >= PART_MS_MAX;
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
    check(of, callerMs = CALLER_MS) {
      if (of === "gate") refuseUselessWait(expectedMs(), pressure.level, callerMs);
      else if (pressure.level >= REFUSED_AT[of]) throw refusal(of, pressure.level);
    },
    async turn(of, gone) {
      if (of !== "console" || pressure.level < REFUSED_AT.console || waiting >= WAITING_MAX) return;
      waiting += 1;
      try {
        await pressure.untilBelow(REFUSED_AT.console, READ_WAIT_MS_MAX, gone);
      } finally {
        waiting -= 1;
      }
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
      known.toMs = Math.max(known.toMs, nowMs);
      known.requests += 1;
    },
    async close() {
      clearInterval(timer);
      await writing;
      await write([...counted]);
    },
  };
}

/** A gate that is refused at once is denied at once; one that waits past its caller's time is denied later. */
function refuseUselessWait(expectedMs: number, level: number, callerMs: number): void {
  const limitMs = level >= LEVEL_MAX ? Math.min(GATE_WAIT_MS_MAX, callerMs) : callerMs;
  if (expectedMs <= limitMs) return;
  const retryAfterSeconds = RETRY_SECONDS.gate;
  throw new AppError("overloaded", `a gate would wait ${Math.round(expectedMs)} ms`, { says: GATE, retryAfterSeconds });
}

const GATE = "The server is overloaded, so this call was refused at once. Try again shortly.";
const READ = "Agents wait for the server, so pages are not read now. Try again in a few seconds.";
const REPORT = "Agents wait for the server, so reports are not taken now. Send this one again later.";

function refusal(of: Exclude<LoadClass, "gate">, level: number): AppError {
  const detail = `${of} requests give way at pressure level ${level}`;
  const retryAfterSeconds = RETRY_SECONDS[of];
  if (of === "report") return new AppError("busy", detail, { says: REPORT, retryAfterSeconds });
  return new AppError("overloaded", detail, { retryAfterSeconds, ...(of === "console" ? { says: READ } : {}) });
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
