/** Projectors: they keep the figures up with the log. Several may run; each takes a workspace that no other is at. */
import { setTimeout } from "node:timers/promises";
import { AppError, asAppError } from "../errors/app-error.ts";
import type { Bus } from "../live/service.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createLogFolding } from "../platform/log-folding.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { type Follower, topicsOf } from "../recording/service.ts";
import { findLag, findProgress } from "./cursor-repository.ts";
import * as log from "./repository.ts";
import { isOfData, type Step, takeStep, takeStepApart } from "./step.ts";

export {
  countFailures,
  findLag,
  findLongestLag,
  findProgress,
  holdFigures,
  LAG_MS_SQL,
  lockFigures,
  PROJECTED_SQL,
} from "./cursor-repository.ts";

/** A message that something was recorded may be lost; the log is looked at this often besides. */
const LOOK_EVERY_MS = 100;
/** Workspaces at once: each holds a connection. */
const TOGETHER_MAX = 3;
/** After a failure that another try may mend. */
const PAUSE_MS = 1_000;
const FOLD_MS = 10_000;

export interface Projectors {
  /** Settles when the figures hold all that was committed before the call, other projectors' workspaces left out. */
  run(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createProjectors(world: {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  readonly followers: readonly Follower[];
}): Projectors {
  const { pool, bus, followers } = world;
  const folding = createLogFolding(FOLD_MS);
  let ending = new AbortController();
  let underWay: Promise<void> | null = null;
  let again: Promise<void> | null = null;
  let looking: Promise<void> = Promise.resolve();
  let unsubscribe: (() => void) | null = null;

  /** A step for each workspace that is behind, again and again until none is: a busy one keeps none waiting. */
  async function runAll(): Promise<void> {
    const left = new Map<string, unknown>();
    for (;;) {
      const listed = await inInstallation(() => log.listBehind(pool));
      const waiting = listed.filter((workspaceId) => !left.has(workspaceId));
      if (waiting.length === 0 || ending.signal.aborted) break;
      const lane = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const workspaceId = next;
          const isOthers = await inWorkspace(workspaceId, () => stepOf(workspaceId)).catch((error: unknown) => error);
          if (isOthers !== false) left.set(workspaceId, isOthers);
        }
      };
      await Promise.all(Array.from({ length: TOGETHER_MAX }, lane));
    }
    for (const trouble of left.values()) if (trouble !== true) throw trouble;
  }

  /** True when another projector is at it. */
  async function stepOf(workspaceId: string): Promise<boolean> {
    const of = { pool, workspaceId, followers };
    const step = await takeStep(of).catch((error: unknown) => {
      // A step that PostgreSQL ended for its length would be as long the next time: batch by batch it moves on.
      if (!isOfData(error) && asAppError(error).code !== "query_too_slow") throw error;
      return takeStepOrApart(of);
    });
    if (step !== null) tell(workspaceId, step);
    return step === null;
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

  function tell(workspaceId: string, { entries, failures }: Step): void {
    const topics = topicsOf(entries);
    if (topics.length > 0) bus.tell(workspaceId, topics);
    for (const failure of failures)
      world.log.error({ workspaceId, ...failure }, "a record is in no figure: it could not be counted");
  }

  /** One run at a time; whoever asks during one gets the next, which sees what it did not. */
  function run(): Promise<void> {
    if (underWay === null) {
      underWay = runAll().finally(() => {
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

  function wake(): void {
    run().catch(say);
  }

  function say(error: unknown): void {
    if (ending.signal.aborted) return;
    const alike = folding.admit("projectors");
    if (alike !== null) world.log.error({ err: error, alike }, "figures do not keep up with the log");
  }

  return {
    run,
    start() {
      ending = new AbortController();
      const { signal } = ending;
      unsubscribe = bus.subscribe((_workspaceId, topics) => {
        if (topics.includes("log")) wake();
      });
      looking = (async () => {
        while (!signal.aborted) {
          const isWell = await run().then(
            () => true,
            (error: unknown) => say(error),
          );
          await setTimeout(isWell ? LOOK_EVERY_MS : PAUSE_MS, undefined, { signal }).catch(() => undefined);
        }
      })();
    },
    async stop() {
      ending.abort();
      unsubscribe?.();
      await looking;
      await underWay?.catch(() => undefined);
      await again?.catch(() => undefined);
    },
  };
}

const READ_MS = 5_000;
const POLL_MS = 10;

/**
 * Settles when the figures hold all that was committed before the call: whoever must see their own writes waits here.
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
