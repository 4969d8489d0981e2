/**
 * Works on waiting verifications, one at a time: it verifies a range, saves its position with the lease, then takes the
 * next range. If a worker dies, the run's lease expires, and the next worker continues after the last saved range.
 */
import { z } from "zod";
import type { Checkpoint, PublicKey } from "../../audit/checkpoint.ts";
import { type StatementPeriod, statementPeriod } from "../../audit/statement-schema.ts";
import { asAppError, isDatabaseUnavailable } from "../../errors/app-error.ts";
import type { Pool } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation } from "../../platform/scope.ts";
import { createBlankedTable } from "./blanked-store.ts";
import { beginPeriod, createStatementFacts, periodCheckpoints } from "./period-run.ts";
import { findBase } from "./verification-base.ts";
import { resultOf } from "./verification-result.ts";
import * as runs from "./verification-runs.ts";
import {
  takeStep,
  VERIFICATION_LIMITS,
  type VerificationBase,
  type VerificationJob,
  type VerificationLimits,
  type VerificationProgress,
  verificationProgress,
} from "./verification-step.ts";

const LOOK_EVERY_MS = 1_000;
/** A range takes about a second. */
const LEASE_SECONDS = 60;
const FAILURES_MAX = 3;

export interface VerificationWorkerOptions {
  readonly pool: Pool;
  readonly log: Log;
  readonly keysOf: (workspaceId: string) => Promise<readonly PublicKey[]>;
  /** The current checkpoints from outside; null when there are no checkpoints. */
  readonly outsideOf: (workspaceId: string) => Promise<readonly Checkpoint[] | null>;
  /** A run began or ended. */
  readonly onChange?: (workspaceId: string) => void;
  /** Called after each range that is saved, before the next. */
  readonly onRange?: (progress: VerificationProgress) => Promise<void> | void;
  readonly limits?: VerificationLimits;
}

export interface VerificationWorker {
  /** Works until no run waits; returns the number of runs that ended. */
  run(): Promise<number>;
  start(): void;
  /** Returns when the range under way is saved. */
  stop(): Promise<void>;
}

const savedRun = z.strictObject({
  base: z
    .strictObject({
      seq: z.number(),
      hash: z.string(),
      at: z.string(),
      earlier: z.strictObject({ to: z.number(), at: z.string(), by: z.string() }).nullable(),
    })
    .nullable(),
  step: verificationProgress,
});

export function createVerificationWorker(options: VerificationWorkerOptions): VerificationWorker {
  const { pool, log, onChange } = options;
  const repeater = createRepeater({
    turn: () => run().then(() => LOOK_EVERY_MS),
    firstMs: LOOK_EVERY_MS,
    retryMs: LOOK_EVERY_MS,
    onFailure: (err) => log.warn({ err }, "verification stopped; it goes on soon"),
  });

  const run = (): Promise<number> =>
    inInstallation(async () => {
      let ended = 0;
      while (!repeater.signal.aborted) {
        const claimed = await runs.claim(pool, uuidv7(), LEASE_SECONDS);
        if (claimed === null) break;
        onChange?.(claimed.workspaceId);
        if (await attempt(claimed)) ended += 1;
        onChange?.(claimed.workspaceId);
      }
      return ended;
    });

  /** True when the run ended here. */
  async function attempt(claimed: runs.ClaimedRun): Promise<boolean> {
    if (claimed.failures >= FAILURES_MAX) {
      await runs.failRun(
        pool,
        claimed,
        `It ended ${claimed.failures} times at the same entries, for a reason of its own.`,
      );
      return true;
    }
    try {
      return await verify(options, claimed, () => repeater.signal.aborted);
    } catch (error) {
      // With the database away nothing can be written: the lease ends by itself.
      if (isDatabaseUnavailable(asAppError(error))) throw error;
      const { workspaceId, id: runId } = claimed;
      log.error({ err: error, workspaceId, runId }, "a range of the record could not be verified");
      if (claimed.failures + 1 < FAILURES_MAX) await runs.releaseRun(pool, claimed, 1);
      else await runs.failRun(pool, claimed, asAppError(error).message);
      return claimed.failures + 1 >= FAILURES_MAX;
    }
  }

  return { run, start: repeater.start, stop: repeater.stop };
}

/** Range by range, until the run ends or must be left to another worker; true when it ended. */
async function verify(
  options: VerificationWorkerOptions,
  claimed: runs.ClaimedRun,
  isEnding: () => boolean,
): Promise<boolean> {
  const { pool, log, keysOf, outsideOf, onRange, limits = VERIFICATION_LIMITS } = options;
  const { workspaceId, id } = claimed;
  const period = claimed.period === null ? null : statementPeriod.parse(claimed.period);
  const keys = await keysOf(workspaceId);
  const outside = () => outsideOf(workspaceId);
  const select = period && (await periodCheckpoints(pool, workspaceId, period));
  const meant = async () => (select === null ? outside() : select(await outside()));
  const { base, step } = await startOf(pool, claimed, { period, keys, outside: await outside() });
  const blanked = createBlankedTable(pool, workspaceId, id);
  const until = period === null ? {} : { until: period.to.replace("Z", "000Z") };
  const job: VerificationJob = { workspaceId, base, keys, outside: meant, blanked, limits, ...until };
  let progress: VerificationProgress | null = step;
  for (;;) {
    const { report, counts, progress: reached } = await takeStep(pool, job, progress);
    progress = reached;
    const { to, position, day } = reached;
    if (report) {
      const findings = report.altered.count + report.missing.count;
      log.info({ workspaceId, to, findings }, "the record was verified");
      const about = period && { period, report, outside: await outside(), now: new Date() };
      const statement = about && (await createStatementFacts(pool, workspaceId, about));
      return runs.finishRun(pool, claimed, { findings, report: resultOf(report), ...(statement && { statement }) });
    }
    const from = (base?.seq ?? 0) + 1;
    const range = { from, to, position, day, ...counts, progress: { base, step: reached } };
    if (!(await runs.saveRange(pool, claimed, LEASE_SECONDS, range))) return false;
    await onRange?.(progress);
    if (!isEnding()) continue;
    await runs.releaseRun(pool, claimed, 0);
    return false;
  }
}

interface StartContext {
  readonly period: StatementPeriod | null;
  readonly keys: readonly PublicKey[];
  readonly outside: readonly Checkpoint[] | null;
}

/** The entry after which a run begins, and its saved progress; null for a whole run that has not begun. */
async function startOf(
  pool: Pool,
  { workspaceId, progress, fromBeginning }: runs.ClaimedRun,
  { period, keys, outside }: StartContext,
): Promise<{ readonly base: VerificationBase | null; readonly step: VerificationProgress | null }> {
  if (progress !== null) return savedRun.parse(progress);
  if (period !== null) return beginPeriod(pool, workspaceId, period, outside);
  return { base: fromBeginning ? null : await findBase(pool, workspaceId, { keys, outside }), step: null };
}
