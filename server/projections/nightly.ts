/**
 * Checks each closed UTC day of each workspace once, in the following night, one node at a time; a day with differences
 * is checked again a day later. Each day has its own snapshot and result.
 */
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { checkDay } from "./check-day.ts";
import * as checks from "./check-repository.ts";
import { transaction, withLogSnapshot } from "./repository.ts";

const FIRST_RUN_MS = 300_000;
const RUN_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Events of a day's end are on their way for a while. */
const CLOSED_AFTER_MS = 3_600_000;
/** A server that was off for longer checks older days only on request. */
const DAYS_BACK = 7;

export interface ProjectionChecks {
  /** Everything that is due; the number of days that were checked. */
  run(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export interface ProjectionCheckOptions {
  /** Reads whole days. */
  readonly pool: Pool;
  /** Where results are written, with an entry of the chain; `pool` when absent. */
  readonly steps?: Pool;
  readonly log: Log;
  readonly clock: Clock;
  /** Asked before each day and page. */
  readonly pacer?: { step(): Promise<void>; page(): Promise<void> };
}

export function createProjectionChecks({
  pool,
  steps = pool,
  log,
  clock,
  pacer,
}: ProjectionCheckOptions): ProjectionChecks {
  const repeater = createRepeater({
    turn: () => run().then(() => RUN_EVERY_MS),
    firstMs: FIRST_RUN_MS,
    retryMs: RUN_EVERY_MS,
    onFailure: (err) => log.error({ err }, "figures were not checked"),
  });

  async function run(): Promise<number> {
    const nowMs = clock.now();
    let count = 0;
    for (const workspaceId of await inInstallation(() => checks.listWorkspaces(pool)))
      count += await inWorkspace(workspaceId, () => runWorkspace(workspaceId, nowMs));
    return count;
  }

  async function runWorkspace(workspaceId: string, nowMs: number): Promise<number> {
    let count = 0;
    const due = await checks.listDue(pool, workspaceId, closedDays(nowMs), new Date(nowMs - DAY_MS));
    for (const day of due) {
      await pacer?.step();
      if (repeater.signal.aborted) break;
      try {
        if (await runDay(workspaceId, day, nowMs)) count += 1;
      } catch (err) {
        if (!repeater.signal.aborted)
          log.error({ err, workspaceId, day }, "figures could not be checked against the log");
      }
    }
    return count;
  }

  /** False when another node is checking it. */
  async function runDay(workspaceId: string, day: string, nowMs: number): Promise<boolean> {
    const paced = pacer ? { pace: () => pacer.page() } : {};
    const options = { lock: checks.LOCK, signal: repeater.signal, ...paced };
    const check = await withLogSnapshot(pool, (reader) => checkDay(reader, workspaceId, day), options);
    if (check === null) return false;
    if (check.differing > 0)
      log.error({ workspaceId, day, rows: check.differing }, "figures are not what the log gives");
    await transaction(steps, (client) => checks.save(client, workspaceId, new Date(nowMs), check));
    return true;
  }

  return { run, start: repeater.start, stop: repeater.stop };
}

function closedDays(nowMs: number): string[] {
  const last = Math.floor((nowMs - CLOSED_AFTER_MS) / DAY_MS) - 1;
  return Array.from({ length: DAYS_BACK }, (_, back) => new Date((last - back) * DAY_MS).toISOString().slice(0, 10));
}
