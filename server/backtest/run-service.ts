/** Starting, canceling and reading backtests. */
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { findIdByName, get as policyOf, readText, revision } from "../policies/index.ts";
import { argumentExcerpt } from "../recording/index.ts";
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
import { sha256Of } from "./source-digest.ts";
import { percentileUs } from "./tally.ts";
import { EMPTY_TALLY, tally as storedTally } from "./tally-schema.ts";

/** Errors: `policy_moved_on` if the draft has changed, `policy_invalid` with every problem, `busy`. */
export async function start(db: Database, actor: Administrator, asked: StartBacktest): Promise<{ id: string }> {
  const { policyId, draftVersion, days, isQuick } = asked;
  const source = await textOf(db, actor, { policyId, of: { kind: "draft", version: draftVersion } });
  return queue(db, actor, { policyId, source, days, callsMax: isQuick ? RUN_LIMITS.quickCalls : null });
}

/**
 * The newest backtest of exactly this text against what is in force now. Without one, it starts a quick backtest.
 *
 * Errors: those of `start`; `revision_not_found`.
 */
export async function startIfMissing(db: Database, actor: Administrator, asked: BacktestText): Promise<{ id: string }> {
  const { policyId } = asked;
  const source = await textOf(db, actor, asked);
  const known = await results.findOfText(db.pool, actor.workspaceId, policyId, sha256Of(source));
  if (known !== null) return { id: known };
  return queue(db, actor, { policyId, source, days: RUN_LIMITS.quickDays, callsMax: RUN_LIMITS.quickCalls });
}

async function textOf(db: Database, actor: Administrator, { policyId, of }: BacktestText): Promise<string> {
  if (of.kind === "revision") return (await revision(db, actor.workspaceId, policyId, of.number)).source;
  const policy = await policyOf(db, actor.workspaceId, policyId);
  if (policy.draftVersion !== of.version) throw new AppError("policy_moved_on", policyId);
  return policy.source;
}

/** A backtest of a text that is stored nowhere else. Errors: as `start`, and `policy_not_found`. */
export async function startText(db: Database, actor: Administrator, asked: StartTextBacktest): Promise<BacktestById> {
  const { policy, source, days } = asked;
  const { workspaceId } = actor;
  const policyId =
    "id" in policy ? (await policyOf(db, workspaceId, policy.id)).id : await findIdByName(db, workspaceId, policy.name);
  const { id } = await queue(db, actor, { policyId, source, days, callsMax: null });
  return { policyId, runId: id };
}

type Queued = Pick<runs.NewRun, "policyId" | "source" | "days" | "callsMax">;

async function queue(db: Database, actor: Administrator, run: Queued): Promise<{ id: string }> {
  const { hooks, problems } = await readText(actor.id, run.source);
  if (!hooks) throw new AppError("policy_invalid", undefined, { says: UNREADABLE, problems });
  const id = uuidv7();
  const by = { by: actor.name, byId: actor.id };
  const isQueued = await runs.insert(db.pool, actor.workspaceId, { ...run, ...by, id, sha256: sha256Of(run.source) });
  if (!isQueued) throw new AppError("busy", "backtests", { says: TOO_MANY });
  return { id };
}

const UNREADABLE = "The text has problems. Correct them, then start the backtest again.";
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
  // A live test covers no whole days.
  return run.live ? run : { ...run, addedNanoPerDay: await addedNanoPerDay(db, workspaceId, run) };
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

function excerptOf(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    const argument = typeof value === "object" && value !== null && "tool_input" in value ? value.tool_input : null;
    if (typeof argument !== "object" || argument === null) return input.slice(0, EXCERPT_CHARS);
    return argumentExcerpt({ ...argument });
  } catch {
    // It was cut.
    return input.slice(0, EXCERPT_CHARS);
  }
}
const EXCERPT_CHARS = 240;

function viewOf(row: results.RunRow): BacktestRunView {
  const { draftText, source, livePercent, liveUntil, liveSkipped, restarts, ...run } = row;
  const tally = storedTally.safeParse(row.tally).data ?? EMPTY_TALLY;
  return backtestRun.parse({
    ...{ ...run, tally, remainingMs: remainingMs(row), isDraft: draftText === source },
    addedNanoPerDay: null,
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
