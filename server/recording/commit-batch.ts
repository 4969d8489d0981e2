/**
 * One batch of records, in one transaction: each record is answered as stored, or with the reason of its failure. A
 * batch that fails because of its data is committed record by record.
 */
import { AppError, asAppError, isDatabaseUnavailable } from "../errors/app-error.ts";
import type { Pool, Send } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { LogFolding } from "../platform/log-folding.ts";
import { isCounted } from "./batch.ts";
import { addChainLeaves } from "./chain-leaves.ts";
import type { createPartitionKeeper } from "./create-partitions.ts";
import type { Recorded } from "./dispatch-record.ts";
import { newestHaltNumbers, splitByHaltNumber } from "./halt-numbers.ts";
import type { Waiting } from "./record-queue.ts";
import { findRepeatedDeliveries } from "./repeated-deliveries.ts";
import * as recording from "./repository.ts";
import { GrantLostError, GrantsLost, spendGrants } from "./spend-grants.ts";
import type { ProjectedRecord } from "./tables.ts";
import { canWriteAtOnce, isKnownName, writeAtOnce } from "./write-at-once.ts";

const TRIES_MAX = 3;
/**
 * A name that was used before costs a statement, so claims come first in as many later commits. A client that sends all of
 * its events twice then costs one statement of twenty.
 */
const CLAIMS_FIRST_COMMITS = 20;
const NO_SPACE = "The database's disk is full: nothing can be recorded, so every gate is refused.";
const NOT_REACHED = "The last records could not be written: the database did not answer.";

/** Told of every committed batch. */
export interface RecorderObserver {
  committed(records: number, durationMs: number): void;
  /** Called with the stored entries, without repeats. It must return at once: other batches wait. */
  stored?(entries: readonly ProjectedRecord[]): void;
}

/** Shared by the commits of one recorder. */
export interface CommitContext {
  readonly pool: Pool;
  /** Announces new records of workspaces. */
  readonly announce: (workspaceIds: Iterable<string>) => void;
  readonly log: Log;
  readonly folding: LogFolding;
  readonly partitions: ReturnType<typeof createPartitionKeeper>;
  readonly observer: RecorderObserver | undefined;
  /** The newest failure; null when a batch was committed since. */
  lastFailure: { readonly atMs: number; readonly says: string } | null;
  /** The number of later commits that claim names before anything else is written: one of them was used before. */
  claimsFirst: number;
}

/** Retries failures that are safe to retry: a deadlock between two nodes, or a missing monthly partition. */
export async function commitWithRetry(context: CommitContext, whole: readonly Waiting[]): Promise<void> {
  let batch = refuseOutdated(whole, newestHaltNumbers(whole));
  for (let tries = 1; ; tries += 1) {
    try {
      if (batch.length > 0) await commit(context, batch);
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
        const left = refuseOutdated(batch, await recording.listHaltNumbers(context.pool, workspacesOf(batch)));
        if (left.length === batch.length) throw error;
        batch = left;
        tries -= 1;
        continue;
      }
      const isMonthless = lacksChainMonth(error);
      if (tries >= TRIES_MAX || !(isMonthless || isDeadlock(error))) throw error;
      context.log.warn({ err: error, tries }, "a batch could not be committed at once and is tried again");
      if (isMonthless) await context.partitions.addChainMonthsOf(workspacesOf(batch));
    }
  }
}

/** The batch without the verdicts that were decided under other halts; their senders decide again. */
function refuseOutdated(batch: readonly Waiting[], numbers: ReadonlyMap<string, number>): Waiting[] {
  const { current, outdated } = splitByHaltNumber(batch, numbers);
  for (const waiting of outdated) waiting.reject(new AppError("halts_changed", undefined, { retryAfterSeconds: 1 }));
  return current;
}

async function commit(context: CommitContext, batch: readonly Waiting[]): Promise<void> {
  const { partitions, observer } = context;
  const startedMs = performance.now();
  const entries = batch.map((waiting) => waiting.entry);
  await partitions.ensure(entries.map((entry) => entry.occurredAt));
  const settled = await store(context, entries);
  context.lastFailure = null;
  for (const waiting of batch) waiting.resolve(settled.get(waiting.entry) ?? { kind: "stored" });
  observer?.committed(batch.length, performance.now() - startedMs);
  const stored = entries.filter((entry) => !settled.has(entry));
  observer?.stored?.(stored.filter(isCounted));
  // Not in the transaction: there, NOTIFY holds a lock of the whole database until the commit is on the disk.
  context.announce(byWorkspace(stored).keys());
}

/** Writes new entries, and returns the answers to those that are repeats. */
async function store(
  context: CommitContext,
  entries: readonly ProjectedRecord[],
): Promise<ReadonlyMap<ProjectedRecord, Recorded>> {
  const { pool } = context;
  if (context.claimsFirst > 0) context.claimsFirst -= 1;
  else if (canWriteAtOnce(entries)) {
    try {
      await writeAtOnce(pool, entries);
      return new Map();
    } catch (error) {
      if (!isKnownName(error)) throw error;
      context.claimsFirst = CLAIMS_FIRST_COMMITS;
    }
  }
  return recording.flight(pool, async (send, client) => {
    const isNamed = entries.some((entry) => entry.record.delivery !== null);
    // Only names can have been used before; without any, nothing needs to be asked first.
    const first = isNamed ? await recording.claimDeliveries(send, entries) : new Set<string>();
    const fresh = entries.filter((entry) => entry.record.delivery === null || first.has(entry.record.id));
    await spendGrants(send, fresh);
    if (fresh.length > 0) write(send, await recording.leaveOutRepeatedCalls(send, fresh));
    return findRepeatedDeliveries(client, entries, new Set(fresh));
  });
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
export async function failBatch(context: CommitContext, batch: readonly Waiting[], error: unknown): Promise<void> {
  const failure = asAppError(error);
  const single = batch[0];
  const isOutOfSpace = hasNoSpace(error);
  const isDatabases = isDatabaseUnavailable(failure) || failure.code === "query_too_slow";
  if (!isDatabases && !isOutOfSpace && batch.length > 1) {
    for (const waiting of batch)
      await commitWithRetry(context, [waiting]).catch((own: unknown) => failBatch(context, [waiting], own));
    return;
  }
  // A row that cannot be stored is its sender's trouble, not the server's.
  if (isOutOfSpace) context.lastFailure = { atMs: performance.now(), says: NO_SPACE };
  else if (failure.code === "database_away") context.lastFailure = { atMs: performance.now(), says: NOT_REACHED };
  const alike = context.folding.admit(failure.code);
  if (alike !== null)
    context.log.error(
      { err: error, records: batch.length, first: single?.entry.record.id, alike },
      "a batch was not recorded",
    );
  const code = !isDatabases ? "unrecorded" : failure.code === "database_away" ? "database_away" : "database_busy";
  for (const waiting of batch)
    waiting.reject(new AppError(code, failure.detail, { retryAfterSeconds: 1, cause: error }));
}

const SQLSTATE_NO_SPACE = "53100";

/** Every row of such a batch fails alike: one by one would only take longer. */
const hasNoSpace = (error: unknown): boolean => hasCode(error, SQLSTATE_NO_SPACE);

/** PostgreSQL found no partition for the batch's entry. */
const lacksChainMonth = (error: unknown): boolean =>
  hasCode(error, "23514") && "table" in error && error.table === "chain_batch";

/**
 * True if the head gave the batch no number: halts have changed, or there is no head. PostgreSQL names the month's
 * partition as the table.
 */
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
