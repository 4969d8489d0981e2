/**
 * Makes the months to come, and drops what is older than its workspace keeps it, a step at a time, one node at a time. Each step is one transaction with
 * the audit entry that says so; the leaves in the chain stay, so that what is gone is told from what was taken away.
 */

import type { Clock } from "../platform/clock.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation } from "../platform/scope.ts";
import { ensureMonthsAhead } from "../recording/service.ts";
import { transaction } from "./repository.ts";
import * as rows from "./retention-repository.ts";
import type { RetentionCount, RetentionDays } from "./schema.ts";
import { RETENTION_KINDS } from "./schema.ts";

const STEP_ROWS = 20_000;
const STEPS_PER_RUN = 500;
const FIRST_RUN_MS = 60_000;
const RUN_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The UTC midnight before which data of so many days is too old. */
export function cutoff(nowMs: number, days: number): Date {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS);
}

export interface RetentionRunner {
  /** Everything that is due; answers how many rows went. */
  run(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export function createRetention({ pool, log, clock }: { pool: Pool; log: Log; clock: Clock }): RetentionRunner {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = true;

  const run = (): Promise<number> => inInstallation(dropDue);

  async function dropDue(): Promise<number> {
    const rules = await rows.listRules(pool);
    let gone = await dropMonths(rules);
    for (const { workspaceId, kind, days } of rules) {
      const before = cutoff(clock.now(), days);
      if (kind !== "dispatches") {
        gone += await step(async (client) => {
          const count = await rows.dropOthers(client, workspaceId, kind, before);
          const entry = { kind: "data_dropped", version: 1, data: kind, before: before.toISOString(), count } as const;
          if (count > 0) await rows.append(client, workspaceId, entry);
          return count;
        });
        continue;
      }
      for (let steps = 0; steps < STEPS_PER_RUN; steps += 1) {
        const dropped = await step((client) => dropStep(client, workspaceId, before));
        gone += dropped;
        if (dropped < STEP_ROWS) break;
      }
    }
    if (gone > 0) log.info({ rows: gone }, "retention dropped what was too old");
    return gone;
  }

  function dropMonths(rules: readonly rows.Rule[]): Promise<number> {
    const own = rules.filter(({ kind }) => kind === "dispatches");
    const beforeOf = new Map(own.map(({ workspaceId, days }) => [workspaceId, cutoff(clock.now(), days)] as const));
    if (beforeOf.size === 0) return Promise.resolve(0);
    return step(async (client) => {
      let gone = 0;
      const months = await rows.listSpentMonths(client, beforeOf);
      for (const partition of new Set(months.map((month) => month.partition))) await rows.emptyMonth(client, partition);
      for (const { workspaceId, proven: count, unproven } of months) {
        const before = (beforeOf.get(workspaceId) ?? new Date(0)).toISOString();
        await rows.append(client, workspaceId, { kind: "dispatches_dropped", version: 1, before, count, unproven });
        gone += count + unproven;
      }
      return gone;
    });
  }

  async function dropStep(client: PoolClient, workspaceId: string, before: Date): Promise<number> {
    const { proven: count, unproven } = await rows.dropDispatches(client, workspaceId, before, STEP_ROWS);
    if (count + unproven > 0)
      await rows.append(client, workspaceId, {
        kind: "dispatches_dropped",
        version: 1,
        before: before.toISOString(),
        count,
        unproven,
      });
    return count + unproven;
  }

  /** Nothing when another node is at it. */
  function step(work: (client: PoolClient) => Promise<number>): Promise<number> {
    return transaction(pool, async (client) => ((await rows.lock(client)) ? work(client) : 0));
  }

  return {
    run,
    start() {
      isStopped = false;
      const after = (ms: number) => {
        if (!isStopped) timer = setTimeout(look, ms).unref();
      };
      const look = () => {
        running = inInstallation(() => ensureMonthsAhead(pool, clock.now()))
          .then(run)
          .catch((err: unknown) => log.error({ err }, "retention did not finish"))
          .finally(() => after(RUN_EVERY_MS));
      };
      after(FIRST_RUN_MS);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** What would go now if these were the settings. */
export async function countRetention(
  pool: Pool,
  workspaceId: string,
  days: RetentionDays,
  nowMs: number,
): Promise<RetentionCount[]> {
  const counts: RetentionCount[] = [];
  for (const kind of RETENTION_KINDS) {
    const kept = days[kind];
    if (kept === null) counts.push({ kind, drop: 0, held: 0 });
    else counts.push({ kind, ...(await rows.count(pool, workspaceId, kind, cutoff(nowMs, kept))) });
  }
  return counts;
}
