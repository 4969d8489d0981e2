/**
 * The job of live tests, in the scans process. It follows the recorded calls after their commit, in the order of the chain, and shares
 * nothing with a gate. Each call is looked at once, or counted as skipped when the processor time of the test is used up.
 */
import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../../platform/scope.ts";
import { readText } from "../../policies/index.ts";
import { replayRows } from "../replay-pool.ts";
import type { ReplayedChunk } from "../replay-tasks.ts";
import { type CallRange, listEarlyAgents } from "../run-calls.ts";
import { RUN_LIMITS } from "../run-schema.ts";
import { candidateOf, setUpRun } from "../run-setup.ts";
import { sha256Of } from "../source-digest.ts";
import { addTallies } from "../tally.ts";
import { EMPTY_TALLY, tally as storedTally, type Tally } from "../tally-schema.ts";
import { type Credit, growCredit } from "./credit.ts";
import { type CallBatch, countSkipped, findOverflow, listBatches, listCallsOf } from "./live-calls.ts";
import * as live from "./live-repository.ts";

export interface LiveTests {
  /** One turn of the test whose turn it is; false when none is due. */
  turn(): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
}

export interface LiveTestsOptions {
  readonly db: Database;
  readonly log: Log;
  /** Asked before each chunk. */
  readonly pacer?: { step(): Promise<void> } | undefined;
  /** The processor time of this process so far, in microseconds. */
  readonly meter?: () => number;
  readonly nowMs?: () => number;
  readonly limits?: Partial<typeof LIMITS>;
}

const LIMITS = {
  /** Records of a chunk, which ends with a whole batch of the chain. */
  chunk: 200,
  /** Records that wait for processor time; older ones are skipped. */
  waiting: 2_000,
  ...{ turnMs: 1_000, leaseMs: 60_000 },
  /** Milliseconds between two turns of a test. */
  restMs: 1_000,
  /** A draft that was saved less than this many milliseconds ago is still being written. */
  quietMs: 30_000,
};
const POLL_MS = 500;
const DAY_MS = 24 * 3_600_000;

/** All threads of the process: its other work counts too, so a test uses at most its share. */
const processTimeUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

export function createLiveTests(options: LiveTestsOptions): LiveTests {
  const { db, log, pacer, meter = processTimeUs, nowMs = Date.now } = options;
  const limits = { ...LIMITS, ...options.limits };
  const events = new LRUCache<string, readonly string[]>({ max: 100 });
  const repeater = createRepeater({
    turn: async () => ((await turn()) ? 0 : POLL_MS),
    firstMs: POLL_MS,
    retryMs: 10_000,
    onFailure: (err) => log.error({ err }, "a live test failed"),
  });

  async function turn(): Promise<boolean> {
    const lease = randomUUID();
    const run = await inInstallation(() => live.claim(db.pool, lease, limits.leaseMs, limits.restMs));
    if (!run) return false;
    const budget = createBudget(run, meter, nowMs);
    const now: Turn = { db, run, lease, limits, pacer, budget, events, isEnding: () => repeater.signal.aborted };
    await inWorkspace(run.workspaceId, () =>
      work(now).catch(async (err: unknown) => {
        log.error({ err, workspaceId: run.workspaceId, run: run.id }, "a live test failed");
        await live.end(db.pool, run, lease, { state: "failed", says: "It failed. The server's log has the reason." });
      }),
    );
    return true;
  }

  return { turn, start: repeater.start, stop: repeater.stop };
}

interface Turn {
  readonly db: Database;
  readonly run: live.ClaimedTest;
  readonly lease: string;
  readonly limits: typeof LIMITS;
  readonly pacer: LiveTestsOptions["pacer"];
  readonly budget: Budget;
  /** The events that each test reads, as of its last chunk. */
  readonly events: LRUCache<string, readonly string[]>;
  readonly isEnding: () => boolean;
}

interface Budget {
  /** Spends what was measured since the last question. */
  readonly credit: () => Credit;
  /** Forgets the time measured since, in which the test only waited. */
  readonly ignore: () => void;
}

function createBudget({ creditUs, creditedAt, percent }: live.ClaimedTest, meter: () => number, nowMs: () => number) {
  let credit = growCredit({ us: creditUs, atMs: creditedAt.getTime() }, percent, nowMs());
  let mark = meter();
  const measured = () => {
    const before = mark;
    mark = meter();
    return mark - before;
  };
  return {
    credit: () => {
      credit = { ...credit, us: credit.us - measured() };
      return credit;
    },
    ignore: () => void measured(),
  } satisfies Budget;
}

async function work(turn: Turn): Promise<void> {
  const { db, run, lease, limits } = turn;
  const draft = await live.findDraft(db.pool, run);
  const says = endOf(run, draft);
  if (says !== null) return live.end(db.pool, run, lease, { state: "finished", says });
  if (draft?.source != null && draft.source !== run.source && draft.savedMsAgo >= limits.quietMs)
    return replaceText(turn, draft.source);
  await follow(turn);
  await live.rest(db.pool, run, lease, turn.budget.credit());
}

/** The reason why a test ends; null while it goes on. */
function endOf({ until }: live.ClaimedTest, draft: live.DraftNow | null): string | null {
  if (draft === null) return "The policy was deleted.";
  if (draft.isPublished) return "The draft was published.";
  if (draft.source === null) return "The draft was discarded.";
  return until !== null && until.getTime() <= Date.now() ? "Its end date has passed." : null;
}

async function replaceText({ db, run, lease }: Turn, source: string): Promise<void> {
  const { hooks } = await readText(run.askedById, source);
  const says = "The draft was changed.";
  if (hooks) return live.replace(db.pool, run, lease, { id: uuidv7(), source, sha256: sha256Of(source), says });
  return live.end(db.pool, run, lease, { state: "finished", says: `${says} The new text has problems.` });
}

/** The counts so far, which each step adds to. */
interface Progress {
  readonly seq: number;
  readonly tally: Tally;
  readonly sequence: number | null;
  readonly changes: number;
}

/** Looks at the calls that wait, until none is left, the processor time is used up or the turn is over. */
async function follow(turn: Turn): Promise<void> {
  const { db, run, limits, pacer, budget } = turn;
  const untilMs = performance.now() + limits.turnMs;
  const { sequence, changes } = run;
  let progress: Progress | null = { seq: run.seq, tally: storedTally.parse(run.tally), sequence, changes };
  do {
    const batches = await listBatches(db.pool, run.workspaceId, progress.seq, limits.chunk);
    if (batches.length === 0) return;
    budget.credit();
    await pacer?.step();
    budget.ignore();
    progress = budget.credit().us > 0 ? await lookAt(turn, progress, batches) : await skip(turn, progress);
  } while (progress !== null && !turn.isEnding() && performance.now() < untilMs);
}

/** Compares the calls of the batches. Null when the lease is lost. */
async function lookAt(turn: Turn, progress: Progress, batches: readonly CallBatch[]): Promise<Progress | null> {
  const { db, run } = turn;
  const { workspaceId } = run;
  // Agents may report calls of earlier days.
  const from = new Date(run.askedAt.getTime() - RUN_LIMITS.daysMax * DAY_MS);
  const ready = await setUpRun(db, workspaceId, run.id, await candidateOf(db, run), from);
  const { events, marks, setup, sequence } = ready;
  turn.events.set(run.id, events);
  const range: CallRange = { events, from, to: new Date() };
  const earlyAgents = ready.hasEarlyHooks ? await listEarlyAgents(db.pool, workspaceId, range) : new Set<string>();
  const rows = await listCallsOf(db.pool, workspaceId, batches, { events, earlyAgents, marks });
  const done = await replayRows(setup, rows, 1);
  const kept = keptFlips(progress.tally, done);
  const hasChanged = progress.sequence !== null && progress.sequence !== sequence;
  const next = {
    seq: batches.at(-1)?.seq ?? progress.seq,
    tally: [done.tally, { ...EMPTY_TALLY, notKept: done.flips.length - kept.length }].reduce(
      addTallies,
      progress.tally,
    ),
    ...{ sequence, changes: progress.changes + (hasChanged ? 1 : 0) },
  };
  return save(turn, progress, next, { rows, flips: kept, skipped: 0 });
}

function keptFlips({ looser, stricter, otherwise, notKept }: Tally, { flips }: ReplayedChunk) {
  const kept = looser + stricter + otherwise - notKept;
  return flips.slice(0, Math.max(0, RUN_LIMITS.flipsKept - kept));
}

/** Counts the oldest calls that wait and skips them. Null when few enough wait, or the lease is lost. */
async function skip(turn: Turn, progress: Progress): Promise<Progress | null> {
  const { db, run, limits } = turn;
  const upToSeq = await findOverflow(db.pool, run.workspaceId, progress.seq, limits.waiting);
  if (upToSeq === null) return null;
  const events = turn.events.get(run.id) ?? (await eventsOf(turn));
  const part = await countSkipped(db.pool, run.workspaceId, { afterSeq: progress.seq, upToSeq, events });
  if (part.seq === null) return null;
  return save(turn, progress, { ...progress, seq: part.seq }, { rows: [], flips: [], skipped: part.calls });
}

async function eventsOf({ db, run, events }: Turn): Promise<readonly string[]> {
  const ready = await setUpRun(db, run.workspaceId, run.id, await candidateOf(db, run), run.askedAt);
  events.set(run.id, ready.events);
  return ready.events;
}

async function save(
  { db, run, lease, limits, budget }: Turn,
  before: Progress,
  after: Progress,
  part: Pick<live.Step, "rows" | "flips" | "skipped">,
): Promise<Progress | null> {
  const { seq: toSeq, ...counts } = after;
  const step = { ...part, ...counts, fromSeq: before.seq, toSeq, credit: budget.credit(), leaseMs: limits.leaseMs };
  return (await live.saveStep(db.pool, run, lease, step)) ? after : null;
}
