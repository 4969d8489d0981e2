/** Starting, canceling and reading backtests. */
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { excerptOf } from "./input-excerpt.ts";
import { addedNanoPerDay } from "./run-cost.ts";
import * as runs from "./run-repository.ts";
import * as results from "./run-results.ts";
import {
  type BacktestById,
  type BacktestRunView,
  type BacktestText,
  backtestRun,
  type FlipGroupView,
  type FlipView,
  flipView,
  type GroupFlips,
  type ListFlips,
  type NewVerdictsView,
  RUN_LIMITS,
  type StartBacktest,
  type StartTextBacktest,
} from "./run-schema.ts";
import { requireRunnable, sourceOf, textToRun } from "./run-text.ts";
import { listSampledCalls, readSample } from "./sampling/read-sample.ts";
import { type ListSampled, NO_SAMPLE, type SampledCallView } from "./sampling/sample-schema.ts";
import { sha256Of } from "./source-digest.ts";
import { percentileUs } from "./tally.ts";
import { EMPTY_TALLY, tally as storedTally } from "./tally-schema.ts";

/** Errors: `policy_moved_on` if the draft has changed, `policy_invalid` with every problem, `busy`. */
export async function start(db: Database, actor: Administrator, asked: StartBacktest): Promise<{ id: string }> {
  const { policyId, draftVersion, days, isQuick = false, sample = NO_SAMPLE } = asked;
  const source = await sourceOf(db, actor, { policyId, of: { kind: "draft", version: draftVersion } });
  return queue(db, actor, { policyId, source, days, callsMax: isQuick ? RUN_LIMITS.quickCalls : null, sample });
}

/**
 * The newest backtest of exactly this text against what is in force now. Without one, it starts a quick backtest.
 *
 * Errors: those of `start`; `revision_not_found`.
 */
export async function startIfMissing(db: Database, actor: Administrator, asked: BacktestText): Promise<{ id: string }> {
  const { policyId } = asked;
  const source = await sourceOf(db, actor, asked);
  const known = await results.findOfText(db.pool, actor.workspaceId, policyId, sha256Of(source));
  if (known !== null) return { id: known };
  const quick = { days: RUN_LIMITS.quickDays, callsMax: RUN_LIMITS.quickCalls, sample: NO_SAMPLE };
  return queue(db, actor, { policyId, source, ...quick });
}

/** A backtest of a text that is stored nowhere else. Errors: as `start`, and `policy_not_found`. */
export async function startText(db: Database, actor: Administrator, asked: StartTextBacktest): Promise<BacktestById> {
  const { days, sample = NO_SAMPLE } = asked;
  const text = await textToRun(db, actor, asked);
  const { id } = await queue(db, actor, { ...text, days, callsMax: null, sample });
  return { policyId: text.policyId, runId: id };
}

type Queued = Pick<runs.NewRun, "policyId" | "source" | "days" | "callsMax" | "sample">;

async function queue(db: Database, actor: Administrator, run: Queued): Promise<{ id: string }> {
  await requireRunnable(actor, run.source, run.sample.commands !== null);
  const id = uuidv7();
  const by = { by: actor.name, byId: actor.id };
  const isQueued = await runs.insert(db.pool, actor.workspaceId, { ...run, ...by, id, sha256: sha256Of(run.source) });
  if (!isQueued) throw new AppError("busy", "backtests", { says: TOO_MANY });
  return { id };
}

const TOO_MANY = `${RUN_LIMITS.openMax} backtests of this workspace wait or run. Cancel one, or wait until one ends.`;

/** Errors: `backtest_not_found`. */
export async function cancel(db: Database, workspaceId: string, { policyId, runId }: BacktestById): Promise<void> {
  if (!(await runs.cancel(db.pool, workspaceId, policyId, runId))) throw new AppError("backtest_not_found", runId);
}

/** Errors: `backtest_not_found`. */
export async function get(db: Database, workspaceId: string, asked: BacktestById): Promise<BacktestRunView> {
  const row = await results.find(db.pool, workspaceId, asked);
  if (!row) throw new AppError("backtest_not_found", asked.runId);
  const run = viewOf(row);
  const [added, sample] = await Promise.all([
    // A live test covers no whole days.
    run.live ? null : addedNanoPerDay(db, workspaceId, run),
    readSample(db.pool, { workspaceId, id: run.id }, row),
  ]);
  return { ...run, addedNanoPerDay: added, sample };
}

/** Errors: `backtest_not_found`. */
export async function newVerdicts(db: Database, workspaceId: string, asked: BacktestById): Promise<NewVerdictsView> {
  await get(db, workspaceId, asked);
  return results.findNewVerdicts(db.pool, workspaceId, asked.runId);
}

/** The newest runs of a policy, at most 50; without their cost. */
export async function list(db: Database, workspaceId: string, policyId: string): Promise<BacktestRunView[]> {
  return (await results.list(db.pool, workspaceId, policyId)).map(viewOf);
}

/** Errors: `backtest_not_found`. */
export async function groups(db: Database, workspaceId: string, asked: GroupFlips): Promise<FlipGroupView[]> {
  await get(db, workspaceId, asked);
  return results.listGroups(db.pool, workspaceId, asked.runId, asked.by);
}

/** Errors: `backtest_not_found`. */
export async function flips(db: Database, workspaceId: string, asked: ListFlips): Promise<FlipView[]> {
  await get(db, workspaceId, asked);
  const rows = await results.listFlips(db.pool, workspaceId, asked);
  return rows.map(({ input, ...row }) => flipView.parse({ ...row, excerpt: input === null ? "" : excerptOf(input) }));
}

/** Errors: `backtest_not_found`. */
export async function sampled(db: Database, workspaceId: string, asked: ListSampled): Promise<SampledCallView[]> {
  await get(db, workspaceId, asked);
  return listSampledCalls(db.pool, workspaceId, asked);
}

function viewOf(row: results.RunRow): BacktestRunView {
  const { draftText, source, livePercent, liveUntil, liveSkipped, restarts, ...run } = row;
  const tally = storedTally.safeParse(row.tally).data ?? EMPTY_TALLY;
  return backtestRun.parse({
    ...{ ...run, tally, remainingMs: remainingMs(row), isDraft: draftText === source },
    ...{ addedNanoPerDay: null, sample: null },
    live:
      livePercent === null ? null : { percent: livePercent, until: liveUntil, skipped: liveSkipped, changes: restarts },
    addedP50Us: percentileUs(tally.addedUs, 0.5),
    addedP95Us: percentileUs(tally.addedUs, 0.95),
  });
}

/** By the share of calls that was read; without their number, by the share of the time range. */
function remainingMs({ state, startedAt, askedAt, readBackTo, days, total, looked }: results.RunRow): number | null {
  if (state !== "running" || startedAt === null || readBackTo === null || looked === 0) return null;
  const elapsedMs = Date.now() - startedAt.getTime();
  const rangeMs = days * 24 * 3_600_000;
  const share = total === null ? (askedAt.getTime() - readBackTo.getTime()) / rangeMs : looked / total;
  return share <= 0 ? null : Math.max(0, Math.round(elapsedMs / Math.min(1, share) - elapsedMs));
}
