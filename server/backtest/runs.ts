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
import { type CallCursor, type CallRange, countCalls, listCalls, listEarlyAgents } from "./run-calls.ts";
import * as runs from "./run-repository.ts";
import { RUN_LIMITS } from "./run-schema.ts";
import { candidateOf, type RunSetup, setUpRun } from "./run-setup.ts";
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
}

/** Calls of a chunk, and milliseconds of a turn and of a lease. */
const TURNS = { chunk: 2_000, turnMs: 1_000, leaseMs: 60_000 };
const POLL_MS = 500;
const DAY_MS = 24 * 3_600_000;
const RESTARTS_MAX = 3;

export function createBacktests({ db, log, pacer, limits = {} }: BacktestsOptions): Backtests {
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
      work({ db, run, lease, turns, pacer, isEnding: () => repeater.signal.aborted }).catch(async (err: unknown) => {
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
  readonly isEnding: () => boolean;
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
  const isDone = await readChunks(turn, ready, { ...range, events: ready.events }, begun);
  await runs.leave(db.pool, run, lease, { state: isDone ? "finished" : "running" });
}

interface Progress {
  readonly cursor: CallCursor | null;
  readonly looked: number;
  readonly tally: Tally;
}

/** The stored progress. A run begins again if the policies in force have changed since. */
async function begin({ db, run, lease }: Turn, { sequence }: RunSetup, range: CallRange) {
  const stored = storedTally.safeParse(run.tally);
  if (run.sequence === sequence && stored.success)
    return { cursor: run.cursor, looked: run.looked, tally: stored.data };
  const restarts = run.sequence === null ? 0 : run.restarts + 1;
  if (restarts > RESTARTS_MAX) return "unsteady";
  const total = await countCalls(db.pool, run.workspaceId, range, run.callsMax);
  const isHeld = await runs.begin(db.pool, run, lease, { sequence, total, restarts });
  return isHeld ? { cursor: null, looked: 0, tally: EMPTY_TALLY } : "lost";
}

/** True when every call is read; false when the turn is over first. */
async function readChunks(turn: Turn, ready: RunSetup, range: CallRange, begun: Progress): Promise<boolean> {
  const { db, run, turns, pacer } = turn;
  const untilMs = performance.now() + turns.turnMs;
  const earlyAgents = ready.hasEarlyHooks ? await listEarlyAgents(db.pool, run.workspaceId, range) : new Set<string>();
  let { cursor, looked, tally } = begun;
  let kept = tally.looser + tally.stricter + tally.otherwise - tally.notKept;
  const read = (after: CallCursor | null, alreadyLooked: number) => {
    const limit = Math.min(turns.chunk, (run.callsMax ?? Number.POSITIVE_INFINITY) - alreadyLooked);
    const asked = { ...range, after, limit, earlyAgents, marks: ready.marks };
    return limit <= 0 ? Promise.resolve([]) : listCalls(db.pool, run.workspaceId, asked);
  };
  let reading = read(cursor, looked);
  for (;;) {
    await pacer?.step();
    const rows = await reading;
    const last = rows.at(-1);
    if (!last) return true;
    cursor = { at: new Date(last.atMs), id: last.id };
    looked += rows.length;
    // The next chunk is read while this one runs.
    reading = read(cursor, looked);
    reading.catch(() => undefined);
    const done = await replayRows(ready.setup, rows, THREADS);
    const flips = done.flips.slice(0, Math.max(0, RUN_LIMITS.flipsKept - kept));
    kept += flips.length;
    const notKept = { ...EMPTY_TALLY, notKept: done.flips.length - flips.length };
    tally = [done.tally, notKept].reduce(addTallies, tally);
    const chunk = { rows, flips, tally, looked, leaseMs: turns.leaseMs };
    if (!(await runs.saveChunk(db.pool, run, turn.lease, chunk))) return false;
    if (turn.isEnding() || performance.now() >= untilMs) return false;
  }
}
