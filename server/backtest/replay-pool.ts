/** Runs recorded calls on the worker threads of backtests and live tests. */
import { createWorkerPool, tasksOf, type WorkerPool } from "../platform/worker-pool.ts";
import { joinChunks, replayDivided } from "./replay-divided.ts";
import type { ReplayRow } from "./replay-row.ts";
import type { ReplaySetup } from "./replay-run.ts";
import type * as tasks from "./replay-tasks.ts";
import type { ReplayedChunk } from "./replay-tasks.ts";

export const THREADS = 2;

let pool: WorkerPool | undefined;
const workers = (): WorkerPool => {
  const limits = { threads: THREADS, runningOfOne: THREADS, ofOne: 16, waiting: 64 };
  pool ??= createWorkerPool({ ...limits, deadlineMs: 60_000, heapMiB: 512, idleMs: 60_000 });
  return pool;
};
const inWorker = tasksOf<typeof tasks>(workers, new URL("./replay-tasks.ts", import.meta.url));

/** Runs the rows on this many threads at once. */
export async function replayRows(
  setup: ReplaySetup,
  rows: readonly ReplayRow[],
  threads: number,
): Promise<ReplayedChunk> {
  const share = Math.ceil(rows.length / threads);
  const parts = await Promise.all(
    Array.from({ length: threads }, (_, at) => rows.slice(at * share, (at + 1) * share))
      .filter((part) => part.length > 0)
      .map((part) => replayDivided(part, (some) => inWorker("backtests", "replay", { setup, rows: some }))),
  );
  return joinChunks(parts);
}

/** The niceness of a thread; 19 is the lowest priority. */
export const readThreadPriority = (): Promise<number> => inWorker("backtests", "readPriority", null);
