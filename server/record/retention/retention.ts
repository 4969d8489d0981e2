/**
 * Creates the coming months' partitions, and removes data that is older than its workspace keeps it: one node at a
 * time, one step at a time. Each step is one transaction with its audit entry. The leaves stay in the chain, so that
 * retention can be distinguished from tampering. A rule that fails does not stop the others: it is recorded, shown, and
 * tried again with the next run.
 */
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation } from "../../platform/scope.ts";
import { ensurePartitionsAhead } from "../../recording/index.ts";
import { createAttempts } from "./retention-attempts.ts";
import * as deliveries from "./retention-deliveries.ts";
import { removeDispatches } from "./retention-dispatches.ts";
import * as rows from "./retention-repository.ts";
import { allSteps, type RetentionOptions, type RetentionRun } from "./retention-run.ts";
import { agedTables, FIXED_RULES } from "./retention-tables.ts";

const FIRST_RUN_MS = 60_000;
const RUN_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The UTC midnight before which data is older than `days`. */
export function cutoff(nowMs: number, days: number): Date {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS);
}

export interface RetentionRunner {
  /** Runs everything that is due; returns the number of rows that rules removed. */
  run(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export function createRetention(options: RetentionOptions): RetentionRunner {
  const { pool, log, clock } = options;
  const repeater = createRepeater({
    turn: () =>
      makeMonths()
        .then(run)
        .then(() => RUN_EVERY_MS),
    firstMs: FIRST_RUN_MS,
    retryMs: RUN_EVERY_MS,
    onFailure: (err) => log.error({ err }, "retention did not finish"),
  });
  const isEnding = () => repeater.signal.aborted;
  const orphans = { mayExist: true };

  const run = (): Promise<number> => inInstallation(() => removeDue(options, isEnding, orphans));

  function makeMonths(): Promise<void> {
    return inInstallation(() => ensurePartitionsAhead(pool, clock.now())).then(
      () => undefined,
      (err: unknown) => log.error({ err }, "the months to come could not be made"),
    );
  }

  return { run, start: repeater.start, stop: repeater.stop };
}

async function removeDue(
  options: RetentionOptions,
  isEnding: () => boolean,
  orphans: { mayExist: boolean },
): Promise<number> {
  const { pool, log, clock, scanPool = pool } = options;
  const [rules, workspaces] = [await rows.listRules(pool), await rows.listWorkspaces(pool)];
  const attempts = createAttempts(options);
  const run: RetentionRun = { ...options, scanPool, isEnding, workspaces, attempts };
  const own = rules.filter(({ kind }) => kind === "dispatches");
  const beforeOf = new Map(own.map(({ workspaceId, days }) => [workspaceId, cutoff(clock.now(), days)] as const));
  let gone = await removeDispatches(run, beforeOf);
  if (gone > 0) orphans.mayExist = true;
  if (orphans.mayExist && beforeOf.size > 0) {
    const forget = () => deliveries.removeOrphans(pool, beforeOf).then(() => 0);
    orphans.mayExist = (await attempts.of([...beforeOf.keys()], "dispatches", forget)) === null;
  }
  const expire = () => deliveries.removeExpired(pool, clock.now(), isEnding).then(() => 0);
  await attempts.of(workspaces, "delivery", expire);
  for (const rule of rules) gone += await removeByRule(run, rule);
  await removeByFixedRules(run);
  await attempts.end(workspaces);
  if (gone > 0) log.info({ rows: gone }, "retention removed what was too old");
  return gone;
}

/** Removes a rule's expired rows from each of its tables; returns their number. */
async function removeByRule(run: RetentionRun, { workspaceId, kind, days }: rows.Rule): Promise<number> {
  if (kind === "dispatches") return 0;
  const before = cutoff(run.clock.now(), days);
  let gone = 0;
  for (const table of agedTables(kind)) {
    const entry = (count: number) =>
      ({ kind: "data_dropped", version: 1, data: kind, before: before.toISOString(), count }) as const;
    const remove = () =>
      allSteps<rows.Position>(run, (client, after) =>
        rows.removeAged(client, table, { workspaceId, before, after: after ?? rows.BEGINNING }).then(async (done) => {
          if (done.removed > 0) await rows.append(client, workspaceId, entry(done.removed));
          return done;
        }),
      );
    gone += (await run.attempts.of([workspaceId], kind, remove)) ?? 0;
  }
  return gone;
}

async function removeByFixedRules(run: RetentionRun): Promise<void> {
  for (const workspaceId of run.workspaces)
    for (const { days, ...table } of FIXED_RULES) {
      const before = cutoff(run.clock.now(), days);
      const remove = () =>
        allSteps<rows.Position>(run, (client, after) =>
          rows.removeAged(client, table, { workspaceId, before, after: after ?? rows.BEGINNING }),
        );
      await run.attempts.of([workspaceId], table.table, remove);
    }
}
