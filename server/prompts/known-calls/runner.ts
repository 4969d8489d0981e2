/**
 * The job of known calls: plans the runs that are due, and attempts planned runs. One node claims each watch and each
 * attempt. After a killed process, the next claim continues the run from its stored answers.
 */
import type { Bus } from "../../events/index.ts";
import type { Models } from "../../judges/index.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../../platform/scope.ts";
import { planDue } from "./plan-run.ts";
import { runKnownCalls } from "./run-known-calls.ts";
import * as runs from "./run-rows.ts";
import * as watches from "./watch-rows.ts";

const TURN_MS = 3_000;
const WATCH_MS = 60_000;
const WATCHES_AT_ONCE = 20;
const RUNS_AT_ONCE = 2;
/** A run without a heartbeat for this long has lost its process. */
const SILENT_MS = 90_000;

export interface KnownCallsWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly models: Models;
  readonly log: Log;
  readonly clock?: Pick<Clock, "now">;
}

export interface KnownCallsJob {
  /** Plans what is due and starts attempts, as far as there is room. */
  tick(): Promise<void>;
  /** Resolves when no attempt runs in this process. */
  idle(): Promise<void>;
  start(): void;
  /** Leaves running attempts to the next process. */
  stop(): Promise<void>;
}

export function createKnownCallsJob({ clock = systemClock, ...parts }: KnownCallsWorld): KnownCallsJob {
  const world = { ...parts, clock };
  const { db, log } = world;
  const running = new Set<Promise<void>>();
  let ending = new AbortController();

  async function plan(): Promise<void> {
    const now = new Date(clock.now());
    const before = new Date(now.getTime() - WATCH_MS);
    const due = await inInstallation(() => watches.claim(db.pool, before, now, WATCHES_AT_ONCE));
    for (const watch of due)
      await inWorkspace(watch.workspaceId, () => planDue(world, watch, now)).catch((err: unknown) =>
        log.error({ err, prompt: watch.promptId }, "a run of known calls could not be planned"),
      );
  }

  async function attempt(): Promise<void> {
    const limit = RUNS_AT_ONCE - running.size;
    if (limit === 0) return;
    const now = new Date(clock.now());
    const silentSince = new Date(now.getTime() - SILENT_MS);
    for (const run of await inInstallation(() => runs.claim(db.pool, { now, silentSince, limit }))) {
      const done: Promise<void> = inWorkspace(run.workspaceId, () => runKnownCalls(world, run, ending.signal))
        .catch((err: unknown) => log.error({ err, check: run.id }, "a run of known calls could not be stored"))
        .finally(() => running.delete(done));
      running.add(done);
    }
  }

  async function tick(): Promise<void> {
    await plan();
    await attempt();
  }

  const repeater = createRepeater({
    turn: () => tick().then(() => TURN_MS),
    firstMs: TURN_MS,
    retryMs: TURN_MS,
    onFailure: (err) => log.error({ err }, "known calls could not be run"),
  });
  const idle = async () => {
    await Promise.all(running);
  };
  return {
    tick,
    idle,
    start() {
      ending = new AbortController();
      repeater.start();
    },
    async stop() {
      await repeater.stop();
      ending.abort(new Error("stopped"));
      await idle();
    },
  };
}
