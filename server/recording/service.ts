/**
 * Group commit: while one transaction is being committed, arriving records collect; the next transaction takes them all
 * (commit-pace.ts says when it begins).
 * A record's promise settles only after its commit, so no verdict leaves before its record.
 */
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createLogFolding } from "../platform/log-folding.ts";
import { inInstallation } from "../platform/scope.ts";
import { createLogAnnouncer } from "./announce-log.ts";
import { toProjectedRecord } from "./batch.ts";
import { type CommitContext, commitWithRetry, failBatch, type RecorderObserver } from "./commit-batch.ts";
import { createCommitPace } from "./commit-pace.ts";
import { createPartitionKeeper } from "./create-partitions.ts";
import type { DispatchRecord, Recorded } from "./dispatch-record.ts";
import { createRecordQueue, type RecordClass, type Waiting } from "./record-queue.ts";

/** A failure counts for this long, so that a load balancer that has stopped sending requests sees the recovery. */
const FAILURE_MS = 10_000;
const FOLD_MS = 10_000;
/** The weight of the newest commit in their usual duration. */
const NEWEST_SHARE = 0.2;

export interface Recorder {
  /**
   * Resolves after the commit. Errors: `busy` when too many records wait, `unrecorded`, `database_away` or
   * `database_busy` when the commit failed; `halts_changed` when the halts in force have changed since the decision;
   * `GrantLostError` when the call has lost its grant.
   */
  record(record: DispatchRecord, isGate: boolean, of?: RecordClass): Promise<Recorded>;
  /** Resolves when no record waits. */
  flush(): Promise<void>;
  readonly waiting: number;
  /** Milliseconds that the oldest gate waits, in the queue or in a commit; 0 without one. */
  readonly gateWaitMs: number;
  /** The usual duration of a commit in milliseconds. */
  readonly commitMs: number;
  /**
   * The reason that nothing is recorded now, as a sentence: the last batch failed within some seconds and none
   * succeeded since.
   */
  readonly failure: string | null;
}

export function createRecorder(pool: Pool, bus: Bus, log: Log, observer?: RecorderObserver): Recorder {
  const queue = createRecordQueue();
  const pace = createCommitPace();
  const folding = createLogFolding(FOLD_MS);
  const partitions = createPartitionKeeper(pool);
  const announce = createLogAnnouncer(bus);
  const noted = { lastFailure: null, claimsFirst: 0 };
  const context: CommitContext = { pool, announce, log, folding, partitions, observer, ...noted };
  let running: Promise<void> | null = null;
  let committing: Waiting | undefined;
  let commitMs = 0;

  async function drain(): Promise<void> {
    while (queue.count() > 0) {
      const turn = pace.turn(queue.count(), commitMs);
      if (turn !== null) await turn;
      const batch = queue.takeBatch();
      pace.begin(batch.length);
      committing = batch[0];
      const begunMs = performance.now();
      try {
        await commitWithRetry(context, batch);
      } catch (error) {
        await failBatch(context, batch, error);
      }
      commitMs += (performance.now() - begunMs - commitMs) * NEWEST_SHARE;
      committing = undefined;
    }
    running = null;
  }

  return {
    record(record, isGate, of: RecordClass = record.origin === "report" ? "report" : "gate") {
      const bytes = record.inputText.length + 512;
      if (!queue.hasRoom(of, bytes))
        return Promise.reject(new AppError("busy", `${queue.count()} records wait`, { retryAfterSeconds: 1 }));
      return new Promise((resolve, reject) => {
        const gateSinceMs = of === "gate" ? performance.now() : null;
        pace.arrive(record.agentId);
        queue.add(of, { entry: toProjectedRecord(record, isGate), gateSinceMs, bytes, resolve, reject });
        // A batch holds records of every workspace.
        running ??= inInstallation(drain);
      });
    },
    async flush() {
      while (running !== null) await running;
    },
    get waiting() {
      return queue.count();
    },
    get gateWaitMs() {
      const sinceMs = committing?.gateSinceMs ?? queue.oldestGate()?.gateSinceMs ?? null;
      return sinceMs === null ? 0 : performance.now() - sinceMs;
    },
    get commitMs() {
      return commitMs;
    },
    get failure() {
      const { lastFailure } = context;
      return lastFailure !== null && performance.now() - lastFailure.atMs < FAILURE_MS ? lastFailure.says : null;
    },
  };
}
