/**
 * The pace of a recorder's commits. A single agent never waits; when several ask at once, commits begin some
 * milliseconds apart, so that each takes more records: a commit costs PostgreSQL and the gateway as much as many rows
 * do.
 */
import { setTimeout } from "node:timers/promises";

/** Between the beginnings of two commits while records share them. */
const APART_MS = 5;
/** Records share commits as long as one did within this time. */
const SHARED_MS = 250;
/** So many are a batch of their own, and wait for no others. */
const ENOUGH_RECORDS = 64;

export interface CommitPace {
  /**
   * Null when the next commit may begin at once; otherwise a promise until it may: records share commits, and the last
   * one has just begun.
   */
  turn(waiting: number): Promise<void> | null;
  /** To be called with the records of every commit as it begins. */
  begin(records: number): void;
}

/** `nowMs` is a monotonic clock. */
export function createCommitPace(nowMs: () => number = () => performance.now()): CommitPace {
  let begunMs = Number.NEGATIVE_INFINITY;
  let sharedMs = Number.NEGATIVE_INFINITY;
  return {
    turn(waiting) {
      const atMs = nowMs();
      const leftMs = begunMs + APART_MS - atMs;
      if (waiting >= ENOUGH_RECORDS || leftMs <= 0 || atMs - sharedMs > SHARED_MS) return null;
      return setTimeout(leftMs);
    },
    begin(records) {
      begunMs = nowMs();
      if (records > 1) sharedMs = begunMs;
    },
  };
}
