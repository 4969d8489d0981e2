/**
 * Group commit: while one transaction is being committed, arriving records collect; the next transaction takes them all
 * (commit-pace.ts says when it begins).
 * A record's promise settles only after its commit, so no verdict leaves before its record.
 */
import type { LoadClass } from "../access/load-class.ts";
import { AppError, asAppError, isDatabaseUnavailable } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Pool, Send } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createLogFolding } from "../platform/log-folding.ts";
import { inInstallation } from "../platform/scope.ts";
import { isCounted, toProjectedRecord } from "./batch.ts";
import { addChainLeaves } from "./chain-leaves.ts";
import { createCommitPace } from "./commit-pace.ts";
import { createPartitionKeeper } from "./create-partitions.ts";
import type { DispatchRecord, Recorded } from "./dispatch-record.ts";
import { newestHaltNumbers, splitByHaltNumber } from "./halt-numbers.ts";
import { findRepeatedDeliveries } from "./repeated-deliveries.ts";
import * as recording from "./repository.ts";
import { GrantLostError, GrantsLost, spendGrants } from "./spend-grants.ts";
import type { ProjectedRecord } from "./tables.ts";

const BATCH_RECORDS_MAX = 512;
/** A batch is hashed and sent in one turn of the loop that serves gates. A larger record is a batch of its own. */
const BATCH_BYTES_MAX = 1024 * 1024;
const WAITING_RECORDS_MAX = 8_192;
const WAITING_BYTES_MAX = 256 * 1024 * 1024;
const TRIES_MAX = 3;
/** The share of the queue that each class may take: what can wait leaves the rest for those that decide. */
const SHARE_OF_QUEUE: Readonly<Record<RecordClass, number>> = { gate: 1, dispatch: 0.75, report: 0.5 };
const CLASSES = ["gate", "dispatch", "report"] as const;
/** Of every batch, this much is left to those behind. */
const SHARE_BEHIND = 1 / 8;
/** A failure counts this long; whoever stops sending work to a server that is not ready must see it recover. */
const FAILURE_MS = 10_000;
const FOLD_MS = 10_000;
const NO_SPACE = "The database's disk is full: nothing can be recorded, so every gate is refused.";
const NOT_REACHED = "The last records could not be written: the database did not answer.";

interface Waiting {
  readonly entry: ProjectedRecord;
  readonly bytes: number;
  readonly resolve: (recorded: Recorded) => void;
  readonly reject: (error: AppError | GrantLostError) => void;
}

/**
 * The sender that waits: an agent that may be held back, one that is informed, or one that looks back. Committed in
 * this order.
 */
export type RecordClass = Exclude<LoadClass, "console">;

export interface Recorder {
  /** Settles after the commit. Errors: `busy` when too much waits, `unrecorded`, `database_away` or `database_busy` when it failed; `halts_changed` when it was decided under other halts than those in force; `GrantLostError` when its grant is not its own any more. */
  record(record: DispatchRecord, isGate: boolean, of?: RecordClass): Promise<Recorded>;
  /** Resolves when nothing waits any more. */
  flush(): Promise<void>;
  readonly waiting: number;
  /** The share of the queue that is taken, from 0 to 1. */
  readonly fullness: number;
  /**
   * The reason that nothing is recorded now, as a sentence: the last batch failed within some seconds and none
   * succeeded since.
   */
  readonly failure: string | null;
}

/** Told of every committed batch. */
export interface RecorderObserver {
  committed(records: number, durationMs: number): void;
  /** With what was stored, repeats left out. It must return at once: others wait behind it. */
  stored?(entries: readonly ProjectedRecord[]): void;
}

export function createRecorder(pool: Pool, bus: Bus, log: Log, observer?: RecorderObserver): Recorder {
  const queues: Record<RecordClass, Waiting[]> = { gate: [], dispatch: [], report: [] };
  const waitingNow = () => queues.gate.length + queues.dispatch.length + queues.report.length;
  const fullness = (more = 0) => Math.max(waitingNow() / WAITING_RECORDS_MAX, (queueBytes + more) / WAITING_BYTES_MAX);
  let queueBytes = 0;
  let running: Promise<void> | null = null;
  const partitions = createPartitionKeeper(pool);
  const folding = createLogFolding(FOLD_MS);
  const pace = createCommitPace();
  let lastFailure: { readonly atMs: number; readonly says: string } | null = null;

  async function drain(): Promise<void> {
    while (waitingNow() > 0) {
      const turn = pace.turn(waitingNow());
      if (turn !== null) await turn;
      const batch = takeBatch();
      pace.begin(batch.length);
      try {
        await commitWithRetry(batch);
      } catch (error) {
        await settleFailure(batch, error);
      }
    }
    running = null;
  }

  /** Tries again what loses nothing by another try: PostgreSQL ended one of two nodes in each other's way, or lacked a month. */
  async function commitWithRetry(whole: readonly Waiting[]): Promise<void> {
    let batch = refuseOutdated(whole, newestHaltNumbers(whole));
    for (let tries = 1; ; tries += 1) {
      try {
        if (batch.length > 0) await commit(batch);
        return;
      } catch (error) {
        if (error instanceof GrantsLost) {
          const { lost } = error;
          batch = batch.filter(({ entry }) => !lost.has(entry));
          for (const { entry, reject } of whole) if (lost.has(entry)) reject(new GrantLostError());
          tries -= 1;
          continue;
        }
        if (hasNoPlace(error)) {
          // Each time it loses those that moved, so it ends; without any, the workspace has no head.
          const left = refuseOutdated(batch, await recording.listHaltNumbers(pool, workspacesOf(batch)));
          if (left.length === batch.length) throw error;
          batch = left;
          tries -= 1;
          continue;
        }
        const isMonthless = lacksChainMonth(error);
        if (tries >= TRIES_MAX || !(isMonthless || isDeadlock(error))) throw error;
        log.warn({ err: error, tries }, "a batch could not be committed at once and is tried again");
        if (isMonthless) await partitions.addChainMonthsOf(workspacesOf(batch));
      }
    }
  }

  /** The batch without the verdicts that were decided under other halts; their senders decide again. */
  function refuseOutdated(batch: readonly Waiting[], numbers: ReadonlyMap<string, number>): Waiting[] {
    const { current, outdated } = splitByHaltNumber(batch, numbers);
    for (const waiting of outdated) waiting.reject(new AppError("halts_changed", undefined, { retryAfterSeconds: 1 }));
    return current;
  }

  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    for (const of of CLASSES) {
      const isLast = waitingNow() === queues[of].length;
      const room = isLast ? BATCH_RECORDS_MAX : BATCH_RECORDS_MAX * (1 - SHARE_BEHIND);
      let count = 0;
      for (const { bytes: own } of queues[of]) {
        if (batch.length + count >= room || (batch.length + count > 0 && bytes + own > BATCH_BYTES_MAX)) break;
        bytes += own;
        count += 1;
      }
      batch.push(...queues[of].splice(0, count));
    }
    queueBytes -= bytes;
    return batch;
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    const startedMs = performance.now();
    const entries = batch.map((waiting) => waiting.entry);
    await partitions.ensure(entries.map((entry) => entry.occurredAt));
    const settled = await recording.flight(pool, async (send, client) => {
      const isNamed = entries.some((entry) => entry.record.delivery !== null);
      // Only names can have been used before; without any, nothing needs to be asked first.
      const first = isNamed ? await recording.claimDeliveries(send, entries) : new Set<string>();
      const fresh = entries.filter((entry) => entry.record.delivery === null || first.has(entry.record.id));
      await spendGrants(send, fresh);
      if (fresh.length > 0) write(send, await recording.leaveOutRepeatedCalls(send, fresh));
      return findRepeatedDeliveries(client, entries, new Set(fresh));
    });
    lastFailure = null;
    for (const waiting of batch) waiting.resolve(settled.get(waiting.entry) ?? { kind: "stored" });
    observer?.committed(batch.length, performance.now() - startedMs);
    const stored = entries.filter((entry) => !settled.has(entry));
    observer?.stored?.(stored.filter(isCounted));
    // Not in the transaction: there, NOTIFY holds a lock of the whole database until the commit is on the disk.
    for (const workspaceId of byWorkspace(stored).keys()) bus.tell(workspaceId, ["log"]);
  }

  /** All that a gate waits for; every figure is made of it later. */
  function write(send: Send, entries: readonly ProjectedRecord[]): void {
    const parts = [...byWorkspace(entries)].map(([workspaceId, own]) => ({
      workspaceId,
      haltNumber: own.find(({ record }) => record.haltNumber !== undefined)?.record.haltNumber ?? null,
      ...addChainLeaves(own),
    }));
    recording.writeDispatchRows(
      send,
      parts.flatMap(({ rows }) => rows),
    );
    for (const { workspaceId, chainBatch, haltNumber } of parts)
      recording.appendChainBatch(send, workspaceId, chainBatch, haltNumber);
  }

  /** One bad row must not deny its neighbours: a batch that failed for its data is tried again one by one. */
  async function settleFailure(batch: readonly Waiting[], error: unknown): Promise<void> {
    const failure = asAppError(error);
    const single = batch[0];
    const isOutOfSpace = hasNoSpace(error);
    const isDatabases = isDatabaseUnavailable(failure) || failure.code === "query_too_slow";
    if (!isDatabases && !isOutOfSpace && batch.length > 1) {
      for (const waiting of batch)
        await commitWithRetry([waiting]).catch((own: unknown) => settleFailure([waiting], own));
      return;
    }
    // A row that cannot be stored is its sender's trouble, not the server's.
    if (isOutOfSpace) lastFailure = { atMs: performance.now(), says: NO_SPACE };
    else if (failure.code === "database_away") lastFailure = { atMs: performance.now(), says: NOT_REACHED };
    const alike = folding.admit(failure.code);
    if (alike !== null)
      log.error(
        { err: error, records: batch.length, first: single?.entry.record.id, alike },
        "a batch was not recorded",
      );
    const code = !isDatabases ? "unrecorded" : failure.code === "database_away" ? "database_away" : "database_busy";
    for (const waiting of batch)
      waiting.reject(new AppError(code, failure.detail, { retryAfterSeconds: 1, cause: error }));
  }

  return {
    record(record, isGate, of: RecordClass = record.origin === "report" ? "report" : "gate") {
      const bytes = record.inputText.length + 512;
      if (fullness(bytes) >= SHARE_OF_QUEUE[of])
        return Promise.reject(new AppError("busy", `${waitingNow()} records wait`, { retryAfterSeconds: 1 }));
      return new Promise((resolve, reject) => {
        queues[of].push({ entry: toProjectedRecord(record, isGate), bytes, resolve, reject });
        queueBytes += bytes;
        // A batch holds records of every workspace.
        running ??= inInstallation(drain);
      });
    },
    async flush() {
      while (running !== null) await running;
    },
    get waiting() {
      return waitingNow();
    },
    get fullness() {
      return fullness();
    },
    get failure() {
      return lastFailure !== null && performance.now() - lastFailure.atMs < FAILURE_MS ? lastFailure.says : null;
    },
  };
}

const SQLSTATE_NO_SPACE = "53100";

/** Every row of such a batch fails alike: one by one would only take longer. */
const hasNoSpace = (error: unknown): boolean => hasCode(error, SQLSTATE_NO_SPACE);

/** PostgreSQL found no partition for the batch's entry. */
const lacksChainMonth = (error: unknown): boolean =>
  hasCode(error, "23514") && "table" in error && error.table === "chain_batch";

/** The head gave the batch no place: halts changed meanwhile, or there is no head. PostgreSQL names the month as the table. */
const hasNoPlace = (error: unknown): boolean => hasCode(error, "23502") && "column" in error && error.column === "seq";

const workspacesOf = (batch: readonly Waiting[]): string[] => [
  ...new Set(batch.map(({ entry }) => entry.record.workspaceId)),
];

const isDeadlock = (error: unknown): boolean => hasCode(error, "40P01");

const hasCode = (error: unknown, code: string): error is object =>
  typeof error === "object" && error !== null && "code" in error && error.code === code;

/** In one order everywhere: two nodes that lock the same workspaces must not wait for each other. */
function byWorkspace(entries: readonly ProjectedRecord[]): Map<string, ProjectedRecord[]> {
  const grouped = new Map<string, ProjectedRecord[]>();
  for (const entry of entries) {
    const { workspaceId } = entry.record;
    const own = grouped.get(workspaceId);
    if (own) own.push(entry);
    else grouped.set(workspaceId, [entry]);
  }
  return new Map([...grouped].sort(([a], [b]) => (a < b ? -1 : 1)));
}
