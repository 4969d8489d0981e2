/** The task of a backtest that runs on a worker thread: one chunk of recorded calls against two sets of policies. */
import { constants, getPriority, setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import type { ReplayRow } from "./replay-row.ts";
import { createReplayRun, type ReplayRun, type ReplaySetup, replayRow } from "./replay-run.ts";
import type { Flip } from "./row-end.ts";
import { SAMPLED_KINDS, type SampledKind } from "./sampling/sampled-kind-schema.ts";
import { createTally } from "./tally.ts";
import type { Tally } from "./tally-schema.ts";

// A thread has a priority of its own on Linux. Agents' calls and pages come first, in whatever process this thread is.
if (!isMainThread) setPriority(constants.priority.PRIORITY_LOW);

export interface ReplayedChunk {
  readonly tally: Tally;
  readonly flips: readonly Flip[];
  /** The calls that a sample can resolve, in order. */
  readonly candidates: readonly Candidate[];
}

/** A call whose end is unknown because a command or a judge would have to answer. */
export interface Candidate {
  readonly id: string;
  readonly kind: SampledKind;
}

const runs = new LRUCache<string, ReplayRun>({ max: 4 });

export async function replay({
  setup,
  rows,
}: {
  readonly setup: ReplaySetup;
  readonly rows: readonly ReplayRow[];
}): Promise<ReplayedChunk> {
  const run = runs.get(setup.key) ?? createReplayRun(setup);
  runs.set(setup.key, run);
  const tally = createTally();
  const flips: Flip[] = [];
  const candidates: Candidate[] = [];
  for (const row of rows) {
    const { part, flip } = await replayRow(run, row);
    tally.add(part);
    if (flip) flips.push(flip);
    const kind = SAMPLED_KINDS.find((one) => part.unknown[one] === 1);
    if (kind) candidates.push({ id: row.id, kind });
  }
  return { tally: tally.counts(), flips, candidates };
}

/** The niceness of this thread, for tests. */
export const readPriority = (_: null): Promise<number> => Promise.resolve(getPriority());
