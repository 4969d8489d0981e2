/** Projectors: they keep the figures up with the log. Several may run; each takes a workspace that no other is at. */
import { setTimeout } from "node:timers/promises";
import { AppError, asAppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createLogFolding } from "../platform/log-folding.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { GATHER_WAIT_MS, type Pressure, YIELDS_AT } from "../pressure/index.ts";
import { type Follower, liveTopicsOf } from "../recording/index.ts";
import { type Look, pauseAfter } from "./gather-time.ts";
import { findLag, findProgress } from "./lag-repository.ts";
import * as log from "./repository.ts";
import { isOfData, type Step, takeStep, takeStepApart } from "./step.ts";

/**
 * A notification of new records may be lost, so the log is also polled: rarely, while the notifications of the last two
 * seconds have arrived, because each poll wakes PostgreSQL.
 */
const LOOK_EVERY_MS = { heard: 1_000, unheard: 100 } as const;
/** Concurrent workspaces: each holds a connection. */
const TOGETHER_MAX = 3;
/** After a failure that another try may mend. */
const PAUSE_MS = 1_000;
const FOLD_MS = 10_000;

export interface Projectors {
  /**
   * Resolves when the figures include everything committed before the call, except for other projectors' workspaces.
   */
  run(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface ProjectorsWorld {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  readonly followers: readonly Follower[];
  /** While gates wait, records are gathered longer; never, when absent. */
  readonly pressure?: Pick<Pressure, "level" | "untilBelow">;
}

export function createProjectors(world: ProjectorsWorld): Projectors {
  const folding = createLogFolding(FOLD_MS);
  let ending = new AbortController();
  const asleep = (ms: number) => setTimeout(ms, undefined, { signal: ending.signal }).catch(() => undefined);
  let records = 0;
  const runs = createRuns(async () => {
    const projected = await projectAll(world, () => ending.signal.aborted);
    records += projected;
  });
  let looking: Promise<void> = Promise.resolve();
  let unsubscribe: (() => void) | null = null;
  let isWoken = false;
  let wake = () => {};

  function say(error: unknown): void {
    if (ending.signal.aborted) return;
    const alike = folding.admit("projectors");
    if (alike !== null) world.log.error({ err: error, alike }, "figures do not keep up with the log");
  }

  /**
   * Waits until something is recorded, or the next poll is due; at least so long that each record does not get its own
   * transaction.
   */
  async function rest(last: Look): Promise<void> {
    await asleep(pauseAfter(last));
    const { pressure } = world;
    await pressure?.untilBelow(YIELDS_AT.figures, GATHER_WAIT_MS[pressure.level] ?? 0, ending.signal);
    // While records arrive, not each of them is announced.
    if (isWoken || last.records > 0) return;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await Promise.race([asleep(world.bus.isCurrent() ? LOOK_EVERY_MS.heard : LOOK_EVERY_MS.unheard), woken]);
  }

  async function look(signal: AbortSignal): Promise<void> {
    for (let beforeMs = performance.now(); !signal.aborted; ) {
      const begunMs = performance.now();
      [isWoken, records] = [false, 0];
      const isWell = await runs.run().then(
        () => true,
        (error: unknown) => say(error),
      );
      const look = { records, sinceMs: begunMs - beforeMs, tookMs: performance.now() - begunMs };
      beforeMs = begunMs;
      await (isWell ? rest(look) : asleep(PAUSE_MS));
    }
  }

  return {
    run: runs.run,
    start() {
      ending = new AbortController();
      unsubscribe = world.bus.subscribe((_workspaceId, topics) => {
        if (!topics.includes("log")) return;
        isWoken = true;
        wake();
      });
      looking = look(ending.signal);
    },
    async stop() {
      ending.abort();
      unsubscribe?.();
      await looking;
      await runs.idle();
    },
  };
}

/**
 * One step for each workspace that is behind, repeated while one has more: a busy workspace delays no other. The number of
 * records that are now in the figures.
 */
async function projectAll(world: ProjectorsWorld, isEnding: () => boolean): Promise<number> {
  const failures = new Map<string, unknown>();
  let records = 0;
  for (let hasMore = true; hasMore && !isEnding(); ) {
    hasMore = false;
    const listed = await inInstallation(() => log.listBehind(world.pool));
    const waiting = listed.filter((workspaceId) => !failures.has(workspaceId));
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const workspaceId = next;
        try {
          const step = await inWorkspace(workspaceId, () => stepOf(world, workspaceId));
          records += step?.entries.length ?? 0;
          if (step?.hasMore === true) hasMore = true;
        } catch (error) {
          failures.set(workspaceId, error);
        }
      }
    };
    await Promise.all(Array.from({ length: TOGETHER_MAX }, lane));
  }
  for (const failure of failures.values()) throw failure;
  return records;
}

/** Null if another projector holds the workspace: that one continues. */
async function stepOf(world: ProjectorsWorld, workspaceId: string): Promise<Step | null> {
  const { pool, followers } = world;
  const of = { pool, workspaceId, followers };
  const step = await takeStep(of).catch((error: unknown) => {
    // A step that PostgreSQL ended for its length would be as long the next time: batch by batch it moves on.
    if (!isOfData(error) && asAppError(error).code !== "query_too_slow") throw error;
    return takeStepOrApart(of);
  });
  if (step !== null) tell(world, workspaceId, step);
  return step;
}

/** Finds the batch that fails for its data: those before it are taken whole. */
async function takeStepOrApart(of: Parameters<typeof takeStep>[0]): Promise<Step | null> {
  try {
    return await takeStep(of, 1);
  } catch (error) {
    if (!isOfData(error)) throw error;
    return takeStepApart(of);
  }
}

function tell(world: ProjectorsWorld, workspaceId: string, { entries, failures }: Step): void {
  const topics = liveTopicsOf(entries);
  if (topics.length > 0) world.bus.tell(workspaceId, topics);
  for (const failure of failures)
    world.log.error({ workspaceId, ...failure }, "a record is in no figure: it could not be counted");
}

/** One run at a time; a call during a run gets the next run, which sees everything committed before the call. */
function createRuns(work: () => Promise<void>) {
  let underWay: Promise<void> | null = null;
  let again: Promise<void> | null = null;

  function run(): Promise<void> {
    if (underWay === null) {
      underWay = work().finally(() => {
        underWay = null;
      });
      return underWay;
    }
    again ??= underWay
      .catch(() => undefined)
      .then(() => {
        again = null;
        return run();
      });
    return again;
  }

  return {
    run,
    async idle(): Promise<void> {
      await underWay?.catch(() => undefined);
      await again?.catch(() => undefined);
    },
  };
}

const READ_MS = 5_000;
const POLL_MS = 10;

/**
 * Resolves when the figures include everything committed before the call: for callers that must see their own writes.
 * Errors: `busy` when that takes longer than `limitMs`; the signal's reason.
 */
export async function untilProjected(
  pool: Pool,
  workspaceId: string,
  { limitMs = READ_MS, signal }: { readonly limitMs?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { recorded, seq } = await findProgress(pool, workspaceId);
  if (seq >= recorded) return;
  const until = performance.now() + limitMs;
  for (;;) {
    signal?.throwIfAborted();
    await setTimeout(POLL_MS);
    const now = await findProgress(pool, workspaceId);
    if (now.seq >= recorded) return;
    if (performance.now() > until) throw await behind(pool, workspaceId);
  }
}

async function behind(pool: Pool, workspaceId: string): Promise<AppError> {
  const seconds = Math.ceil((await findLag(pool, workspaceId)) / 1_000);
  const says = `The figures are ${seconds} s behind what was recorded. Ask again when they have caught up.`;
  return new AppError("busy", workspaceId, { says, retryAfterSeconds: 2 });
}
