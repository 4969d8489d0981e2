/**
 * Makes the months to come, and removes what is older than its workspace keeps it, one node at a time, a step at a time. Each step
 * is one transaction with the audit entry that says so; the leaves in the chain stay, so that what is gone is told from what was
 * taken away. A rule that fails stops no other: it is remembered, shown, and tried again with the next run.
 */
import type { Bus } from "../../events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation } from "../../platform/scope.ts";
import { sealLog } from "../../projections/index.ts";
import { ensurePartitionsAhead } from "../../recording/index.ts";
import { transaction } from "../repository.ts";
import { createAttempts } from "./retention-attempts.ts";
import * as deliveries from "./retention-deliveries.ts";
import * as months from "./retention-months.ts";
import * as rows from "./retention-repository.ts";
import { FIXED_RULES, TABLES } from "./retention-tables.ts";

/** So that one rule with years to remove leaves the others their turn within the hour. */
const STEPS_PER_RUN = 2_000;
const FIRST_RUN_MS = 60_000;
const RUN_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The UTC midnight before which data of so many days is too old. */
export function cutoff(nowMs: number, days: number): Date {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS);
}

export interface RetentionRunner {
  /** Everything that is due; answers how many rows of rules went. */
  run(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export interface RetentionOptions {
  readonly pool: Pool;
  readonly log: Log;
  readonly clock: Clock;
  /** Hears when what the settings page shows has changed. */
  readonly bus?: Pick<Bus, "tell">;
  /** Where days are read to be sealed; `pool` when absent. */
  readonly scanPool?: Pool;
  /** Asked before each step and page. */
  readonly pacer?: { step(): Promise<void>; page(): Promise<void> };
}

export function createRetention({ pool, log, clock, bus, scanPool = pool, pacer }: RetentionOptions): RetentionRunner {
  const repeater = createRepeater({
    turn: () =>
      makeMonths()
        .then(run)
        .then(() => RUN_EVERY_MS),
    firstMs: FIRST_RUN_MS,
    retryMs: RUN_EVERY_MS,
    onFailure: (err) => log.error({ err }, "retention did not finish"),
  });
  let mayHaveOrphans = true;

  const run = (): Promise<number> => inInstallation(removeDue);

  async function removeDue(): Promise<number> {
    const [rules, workspaces] = [await rows.listRules(pool), await rows.listWorkspaces(pool)];
    const attempts = createAttempts({ pool, log, clock, ...(bus ? { bus } : {}) });
    const own = rules.filter(({ kind }) => kind === "dispatches");
    const beforeOf = new Map(own.map(({ workspaceId, days }) => [workspaceId, cutoff(clock.now(), days)] as const));
    let gone = 0;
    const isDue = ({ from }: months.Month) => [...beforeOf.values()].some((before) => before > from);
    const due = beforeOf.size === 0 ? [] : (await months.listMonths(pool)).filter(isDue);
    for (const month of due)
      gone += repeater.signal.aborted ? 0 : await monthDue(month, workspaces, beforeOf, attempts);
    if (gone > 0) mayHaveOrphans = true;
    if (mayHaveOrphans && beforeOf.size > 0) {
      const forget = () => deliveries.removeOrphans(pool, beforeOf).then(() => 0);
      mayHaveOrphans = (await attempts.of([...beforeOf.keys()], "dispatches", forget)) === null;
    }
    const expire = () => deliveries.removeExpired(pool, clock.now(), () => repeater.signal.aborted).then(() => 0);
    await attempts.of(workspaces, "delivery", expire);
    for (const { workspaceId, kind, days } of rules) {
      if (kind === "dispatches") continue;
      const before = cutoff(clock.now(), days);
      for (const table of TABLES[kind]) {
        const entry = (count: number) =>
          ({ kind: "data_dropped", version: 1, data: kind, before: before.toISOString(), count }) as const;
        const remove = () =>
          allSteps<rows.Position>((client, after) =>
            rows
              .removeAged(client, table, { workspaceId, before, after: after ?? rows.BEGINNING })
              .then(async (done) => {
                if (done.removed > 0) await rows.append(client, workspaceId, entry(done.removed));
                return done;
              }),
          );
        gone += (await attempts.of([workspaceId], kind, remove)) ?? 0;
      }
    }
    for (const workspaceId of workspaces)
      for (const { days, ...table } of FIXED_RULES) {
        const before = cutoff(clock.now(), days);
        const remove = () =>
          allSteps<rows.Position>((client, after) =>
            rows.removeAged(client, table, { workspaceId, before, after: after ?? rows.BEGINNING }),
          );
        await attempts.of([workspaceId], table.table, remove);
      }
    await attempts.end(workspaces);
    if (gone > 0) log.info({ rows: gone }, "retention removed what was too old");
    return gone;
  }

  /** Drops the month when no workspace wants any of it; else removes from it what is due. */
  async function monthDue(
    month: months.Month,
    workspaces: readonly string[],
    beforeOf: ReadonlyMap<string, Date>,
    attempts: ReturnType<typeof createAttempts>,
  ): Promise<number> {
    const isOver = (workspaceId: string) => (beforeOf.get(workspaceId) ?? new Date(0)) >= month.to;
    let isWanted = false;
    const present: string[] = [];
    for (const id of workspaces) {
      const look = async () => {
        if (!(await months.hasRows(pool, month, id))) return 0;
        present.push(id);
        if (!isOver(id) || (await months.hasHold(pool, month, id))) isWanted = true;
        return 0;
      };
      if ((await attempts.of([id], "dispatches", look)) === null) isWanted = true;
    }
    const isWhole = [...beforeOf.values()].some((before) => before >= month.to);
    if (!isWanted && isWhole) {
      const blamed = present.length > 0 ? present : [...beforeOf.keys()];
      const dropped = await attempts.of(blamed, "dispatches", () => dropWhole(month, beforeOf, present));
      // Somebody wrote to it meanwhile, or is in the way: the next run looks again.
      return dropped ?? 0;
    }
    let gone = 0;
    for (const id of present) {
      const before = beforeOf.get(id);
      if (before !== undefined && before > month.from)
        gone += (await attempts.of([id], "dispatches", () => removeFrom(month, id, before))) ?? 0;
    }
    return gone;
  }

  async function removeFrom(month: months.Month, workspaceId: string, before: Date): Promise<number> {
    const upTo = await seal(month, workspaceId, before);
    if (upTo === null) return 0;
    return allSteps<months.RowPosition>(async (client, after) => {
      const { proven, unproven, next } = await months.removeFromMonth(client, month, {
        ...{ workspaceId, before, after, upTo },
      });
      if (proven + unproven > 0) await rows.append(client, workspaceId, droppedEntry(before, proven, unproven));
      return { removed: proven + unproven, next };
    });
  }

  /** Seals the figures of what is about to go; answers up to which number of the chain it may. Null when it is time to end. */
  function seal({ from, to }: months.Month, workspaceId: string, before: Date): Promise<number | null> {
    const paced = pacer ? { pacer } : {};
    const options = {
      pool: scanPool,
      entries: pool,
      log,
      nowMs: clock.now(),
      isEnding: () => repeater.signal.aborted,
      ...paced,
    };
    return sealLog(options, workspaceId, { from, to: before < to ? before : to });
  }

  async function dropWhole(
    month: months.Month,
    beforeOf: ReadonlyMap<string, Date>,
    present: readonly string[],
  ): Promise<number> {
    const isClosed = await step((client) => months.watchMonthForChanges(client, month).then(() => true));
    if (isClosed === null) return 0;
    // Whoever writes to the month from here on is noticed below, so that nothing goes that is in no seal.
    for (const id of present) if ((await seal(month, id, month.to)) === null) return 0;
    const counts = [...(await months.countMonth(pool, month))].sort(([a], [b]) => (a < b ? -1 : 1));
    const isOurs = counts.every(([id]) => (beforeOf.get(id) ?? new Date(0)) >= month.to);
    if (!isOurs) return 0;
    const dropped = await step(async (client) => {
      // The table before the chains' heads: recording takes them in this order.
      if (!(await months.lockMonth(client, month))) return 0;
      let gone = 0;
      for (const [workspaceId, { proven, unproven }] of counts) {
        const before = beforeOf.get(workspaceId) ?? month.to;
        await rows.append(client, workspaceId, droppedEntry(before, proven, unproven));
        gone += proven + unproven;
      }
      await months.dropMonth(client, month);
      return gone;
    });
    if (dropped !== null) log.info({ month: month.name, rows: dropped }, "a month of dispatches was dropped");
    return dropped ?? 0;
  }

  /** Steps until there is nothing more, or another node is at it; answers how many rows went. */
  async function allSteps<P>(
    work: (client: PoolClient, after: P | null) => Promise<{ removed: number; next: P | null }>,
  ): Promise<number> {
    let gone = 0;
    let after: P | null = null;
    for (let steps = 0; steps < STEPS_PER_RUN && !repeater.signal.aborted; steps += 1) {
      const from: P | null = after;
      await pacer?.step();
      const done: { removed: number; next: P | null } | null = await step((client) => work(client, from));
      if (done === null) break;
      gone += done.removed;
      if (done.next === null) break;
      after = done.next;
    }
    return gone;
  }

  /** Null when another node is at it. */
  function step<T>(work: (client: PoolClient) => Promise<T>): Promise<T | null> {
    return transaction(pool, async (client) => ((await rows.lock(client)) ? work(client) : null));
  }

  function makeMonths(): Promise<void> {
    return inInstallation(() => ensurePartitionsAhead(pool, clock.now())).then(
      () => undefined,
      (err: unknown) => log.error({ err }, "the months to come could not be made"),
    );
  }

  return { run, start: repeater.start, stop: repeater.stop };
}

const droppedEntry = (before: Date, count: number, unproven: number) =>
  ({ kind: "dispatches_dropped", version: 1, before: before.toISOString(), count, unproven }) as const;
