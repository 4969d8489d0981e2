/**
 * The job that runs backtests, in the scans process. Each turn of a run takes a second of chunks, and then the next run has its turn.
 * A run that lost its process resumes behind its last stored chunk.
 */
import { randomUUID } from "node:crypto";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { replayRows, THREADS } from "./replay-pool.ts";
import type { ReplayRow } from "./replay-row.ts";
import type { Candidate, ReplayedChunk } from "./replay-tasks.ts";
import { type CallCursor, type CallRange, countCalls, listCalls, listEarlyAgents } from "./run-calls.ts";
import * as runs from "./run-repository.ts";
import { RUN_LIMITS } from "./run-schema.ts";
import { candidateOf, type RunSetup, setUpRun } from "./run-setup.ts";
import { listRunKinds, runSample, type SampledPart, unsampledChange } from "./sampling/run-sample.ts";
import { type CandidateCounts, type FoundCandidates, readCandidates } from "./sampling/sample-repository.ts";
import type { SampleTools } from "./sampling/sampled-hooks.ts";
import { SAMPLED_KINDS } from "./sampling/sampled-kind-schema.ts";
import { addTallies } from "./tally.ts";
import { EMPTY_TALLY, tally as storedTally, type Tally } from "./tally-schema.ts";

export interface Backtests {
  /** One turn of the run whose turn it is; false when none waits. */
  turn(): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
}

export interface BacktestsOptions {
  readonly db: Database;
  readonly log: Log;
  /** Asked before each chunk. */
  readonly pacer?: { step(): Promise<void> } | undefined;
  readonly limits?: Partial<typeof TURNS>;
  /** For runs with a sample; without it, samples are left unknown. */
  readonly tools?: SampleTools | undefined;
}

/** Calls of a chunk, and milliseconds of a turn and of a lease. */
const TURNS = { chunk: 2_000, turnMs: 1_000, leaseMs: 60_000 };
const POLL_MS = 500;
const DAY_MS = 24 * 3_600_000;
const RESTARTS_MAX = 3;

export function createBacktests({ db, log, pacer, tools, limits = {} }: BacktestsOptions): Backtests {
  const turns = { ...TURNS, ...limits };
  const repeater = createRepeater({
    turn: async () => ((await turn()) ? 0 : POLL_MS),
    firstMs: POLL_MS,
    retryMs: 10_000,
    onFailure: (err) => log.error({ err }, "a backtest failed"),
  });

  async function turn(): Promise<boolean> {
    const lease = randomUUID();
    const run = await inInstallation(() => runs.claim(db.pool, lease, turns.leaseMs));
    if (!run) return false;
    await inWorkspace(run.workspaceId, () =>
      work({ db, run, lease, turns, pacer, tools, signal: repeater.signal }).catch(async (err: unknown) => {
        log.error({ err, workspaceId: run.workspaceId, run: run.id }, "a backtest failed");
        await runs.leave(db.pool, run, lease, { state: "failed", says: "It failed. The server's log has the reason." });
      }),
    );
    return true;
  }

  return { turn, start: repeater.start, stop: repeater.stop };
}

interface Turn {
  readonly db: Database;
  readonly run: runs.ClaimedRun;
  readonly lease: string;
  readonly turns: typeof TURNS;
  readonly pacer: BacktestsOptions["pacer"];
  readonly tools: BacktestsOptions["tools"];
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

async function work(turn: Turn): Promise<void> {
  const { db, run, lease } = turn;
  const range = { from: new Date(run.askedAt.getTime() - run.days * DAY_MS), to: run.askedAt };
  const ready = await setUpRun(db, run.workspaceId, run.id, await candidateOf(db, run), range.from);
  const begun = await begin(turn, ready, { ...range, events: ready.events });
  if (begun === "lost") return;
  if (begun === "unsteady") {
    const says = "The policies in force changed too often while it ran. Start it again.";
    return runs.leave(db.pool, run, lease, { state: "failed", says });
  }
  const calls = { ...range, events: ready.events };
  const untilMs = performance.now() + turn.turns.turnMs;
  const earlyAgents = ready.hasEarlyHooks ? await listEarlyAgents(db.pool, run.workspaceId, calls) : new Set<string>();
  const state: TurnState = { ready, earlyAgents, untilMs, progress: begun };
  const isDone = (await readChunks(turn, state, calls)) && (await finishSample(turn, state));
  await runs.leave(db.pool, run, lease, { state: isDone ? "finished" : "running" });
}

interface Progress {
  readonly cursor: CallCursor | null;
  readonly looked: number;
  readonly tally: Tally;
  /** The calls that a sample can resolve, by kind. */
  readonly candidates: CandidateCounts;
}

interface TurnState {
  readonly ready: RunSetup;
  readonly earlyAgents: ReadonlySet<string>;
  readonly untilMs: number;
  progress: Progress;
}

/** The stored progress. A run begins again if the policies in force have changed since. */
async function begin({ db, run, lease }: Turn, { sequence }: RunSetup, range: CallRange) {
  const stored = storedTally.safeParse(run.tally);
  if (run.sequence === sequence && stored.success)
    return { cursor: run.cursor, looked: run.looked, tally: stored.data, candidates: readCandidates(run.candidates) };
  const restarts = run.sequence === null ? 0 : run.restarts + 1;
  if (restarts > RESTARTS_MAX) return "unsteady";
  const total = await countCalls(db.pool, run.workspaceId, range, run.callsMax);
  const isHeld = await runs.begin(db.pool, run, lease, { sequence, total, restarts });
  return isHeld ? { cursor: null, looked: 0, tally: EMPTY_TALLY, candidates: readCandidates({}) } : "lost";
}

/** True when every call is read; false when the turn is over first. */
async function readChunks(turn: Turn, state: TurnState, range: CallRange): Promise<boolean> {
  const { db, run, turns, pacer } = turn;
  const { ready, earlyAgents, untilMs } = state;
  const read = ({ cursor: after, looked }: Pick<Progress, "cursor" | "looked">) => {
    const limit = Math.min(turns.chunk, (run.callsMax ?? Number.POSITIVE_INFINITY) - looked);
    const asked = { ...range, after, limit, earlyAgents, marks: ready.marks };
    return limit <= 0 ? Promise.resolve([]) : listCalls(db.pool, run.workspaceId, asked);
  };
  let reading = read(state.progress);
  for (;;) {
    await pacer?.step();
    const rows = await reading;
    const last = rows.at(-1);
    if (!last) return true;
    const next = { cursor: { at: new Date(last.atMs), id: last.id }, looked: state.progress.looked + rows.length };
    // The next chunk is read while this one runs.
    reading = read(next);
    reading.catch(() => undefined);
    const done = await replayRows(ready.setup, rows, THREADS);
    const { flips, tally } = keptOf(state.progress.tally, done);
    const { candidates, candidateCounts } = candidatesOf(run, state.progress.candidates, rows, done.candidates);
    state.progress = { ...next, tally, candidates: candidateCounts };
    const chunk = { rows, flips, tally, looked: next.looked, candidates, candidateCounts, leaseMs: turns.leaseMs };
    if (!(await runs.saveChunk(db.pool, run, turn.lease, chunk))) return false;
    if (turn.signal.aborted || performance.now() >= untilMs) return false;
  }
}

/** The flips that the run has room for, and its counts with the part. */
function keptOf(before: Tally, { tally, flips: found }: Pick<ReplayedChunk, "tally" | "flips">) {
  const kept = before.looser + before.stricter + before.otherwise - before.notKept;
  const flips = found.slice(0, Math.max(0, RUN_LIMITS.flipsKept - kept));
  const notKept = { ...EMPTY_TALLY, notKept: found.length - flips.length };
  return { flips, tally: [tally, notKept].reduce(addTallies, before) };
}

/** The calls of a chunk for the sample, as far as the run has one. */
function candidatesOf(
  { sample }: runs.ClaimedRun,
  before: CandidateCounts,
  rows: readonly ReplayRow[],
  found: readonly Candidate[],
) {
  const wanted = { command: sample.commands, judge: sample.judges?.calls ?? null };
  const byId = new Map(rows.map((row) => [row.id, row]));
  const rowsOf = (kind: Candidate["kind"]) =>
    found.filter((one) => one.kind === kind).flatMap(({ id }) => byId.get(id) ?? []);
  const candidates = SAMPLED_KINDS.flatMap((kind): FoundCandidates[] => {
    const size = wanted[kind];
    return size === null ? [] : [{ kind, rows: rowsOf(kind), before: before[kind], wanted: size }];
  });
  const candidateCounts = {
    command: before.command + rowsOf("command").length,
    judge: before.judge + rowsOf("judge").length,
  };
  return { candidates, candidateCounts };
}

/** True when the run has no sample, or every call of it has run. */
async function finishSample(turn: Turn, state: TurnState): Promise<boolean> {
  const { db, run, lease, turns, tools, pacer, signal } = turn;
  const { ready, earlyAgents, untilMs } = state;
  if (!tools) return true;
  async function save({ done, rows, flips: found, change }: SampledPart): Promise<boolean> {
    const { flips, tally } = keptOf(state.progress.tally, { tally: change, flips: found });
    state.progress = { ...state.progress, tally };
    return runs.saveSampled(db.pool, run, lease, { done, rows, flips, tally, leaseMs: turns.leaseMs });
  }
  const world = {
    ...{ pool: db.pool, run, ready, earlyAgents, tools, signal, save },
    pace: async () => pacer?.step(),
    isOver: () => performance.now() >= untilMs,
    beat: () => runs.extendLease(db.pool, run, lease, turns.leaseMs),
  };
  if (!(await runSample(world))) return false;
  const change = unsampledChange(state.progress.tally.unknown, await listRunKinds(world));
  return change === null || save({ done: [], rows: [], flips: [], change });
}
