/**
 * The pace of a recorder's commits. An agent that asks alone never waits; when several ask at once, or one after another,
 * commits begin some milliseconds apart, so that each takes more records: a commit costs PostgreSQL and the gateway as
 * much as many rows do. The queries that look up the names of deliveries have a pace of the same kind.
 */
import { setTimeout } from "node:timers/promises";

/**
 * Between the beginnings of two commits while records share them: twice the time of a commit within these APART_MS. So
 * PostgreSQL and the gateway commit for half of the time at most, and a slow disk or a busy processor makes each commit
 * take more records.
 */
const APART_MS = { min: 10, max: 20 } as const;
const APART_PER_COMMIT = 2;
/** Records share commits as long as one did within this time, or could have. */
const SHARED_MS = 250;
/** So many are a batch of their own, and wait for no others. */
const ENOUGH_RECORDS = 64;

export interface CommitPace {
  /** To be called as a record arrives. Two senders within the time between two commits could have shared one. */
  arrive(sender: string): void;
  /**
   * Null when the next commit may begin at once; otherwise a promise until it may: records share commits, and the last
   * one has just begun. `commitMs` is the usual time of a commit.
   */
  turn(waiting: number, commitMs: number): Promise<void> | null;
  /** To be called with the records of every commit as it begins. */
  begin(records: number): void;
}

/** `nowMs` is a monotonic clock. */
export function createCommitPace(nowMs: () => number = () => performance.now()): CommitPace {
  let begunMs = Number.NEGATIVE_INFINITY;
  let sharedMs = Number.NEGATIVE_INFINITY;
  let last = { sender: "", atMs: Number.NEGATIVE_INFINITY };
  return {
    arrive(sender) {
      const atMs = nowMs();
      if (sender !== last.sender && atMs - last.atMs <= APART_MS.min) sharedMs = atMs;
      last = { sender, atMs };
    },
    turn(waiting, commitMs) {
      const atMs = nowMs();
      const apartMs = Math.min(Math.max(commitMs * APART_PER_COMMIT, APART_MS.min), APART_MS.max);
      const leftMs = begunMs + apartMs - atMs;
      if (waiting >= ENOUGH_RECORDS || leftMs <= 0 || atMs - sharedMs > SHARED_MS) return null;
      return setTimeout(leftMs);
    },
    begin(records) {
      begunMs = nowMs();
      if (records > 1) sharedMs = begunMs;
    },
  };
}
