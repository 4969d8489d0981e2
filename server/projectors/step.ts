/**
 * One step of a workspace's figures along its log: some batches are read in the chain's order, folded and written, and
 * the cursor is moved, all in one transaction. A crash leaves all of it or nothing.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Pool, PoolClient, Send } from "../platform/db.ts";
import {
  dispatchFacts,
  entryWithWords,
  type Follower,
  type ProjectedRecord,
  writeFigures,
} from "../recording/index.ts";
import * as log from "./repository.ts";

/** Their inputs are in memory together: a batch holds a megabyte, or one record that is larger. */
const BATCHES_MAX = 64;
const ROWS_MAX = 2_000;

export interface Step {
  /** In the figures now. */
  readonly entries: readonly ProjectedRecord[];
  /** True if the log already had more records when the step began. */
  readonly hasMore: boolean;
  /** Records that no figure could take. */
  readonly failures: readonly log.Failure[];
}

interface Of {
  readonly pool: Pool;
  readonly workspaceId: string;
  readonly followers: readonly Follower[];
}

/** Null when another projector holds the workspace. Errors: those of PostgreSQL; then nothing is stored. */
export function takeStep({ pool, workspaceId, followers }: Of, batchesMax = BATCHES_MAX): Promise<Step | null> {
  return log.flight(pool, async (send) => {
    const reach = await log.takeCursor(send, workspaceId);
    if (reach === null) return null;
    const { batches, upTo } = await nextBatches(send, workspaceId, reach, batchesMax);
    const { entries, failures } = await readEntries(send, workspaceId, batches);
    // The recorder wrote these facts, so an unreadable row was altered or is from a newer release.
    if (failures.length > 0) throw new UnreadableError(failures);
    await writeFigures(send, entries, followers);
    log.moveCursor(send, workspaceId, upTo);
    return { entries, hasMore: upTo !== reach.head, failures };
  });
}

/** Thrown for rows with unreadable facts. */
export class UnreadableError extends Error {
  readonly code = "22000";
  constructor(failures: readonly log.Failure[]) {
    super(failures[0]?.trouble ?? "a record cannot be read");
  }
}

/**
 * The same with one batch, record by record: records that cannot be counted are listed and skipped, and the others are
 * counted. For a batch that failed because of its data.
 */
export function takeStepApart({ pool, workspaceId, followers }: Of): Promise<Step | null> {
  return log.transaction(pool, async (client) => {
    const send: Send = (query) => client.query(query);
    const reach = await log.takeCursor(send, workspaceId);
    if (reach === null) return null;
    const { batches, upTo } = await nextBatches(send, workspaceId, reach, 1);
    const read = await readEntries(send, workspaceId, batches);
    const failures = [...read.failures];
    const entries: ProjectedRecord[] = [];
    for (const entry of read.entries) {
      const trouble = await troubleOf(client, entry, followers);
      if (trouble === null) entries.push(entry);
      else failures.push(failureOf(batches[0]?.seq ?? upTo, entry.record, trouble));
    }
    for (const failure of failures) await log.addFailure(client, workspaceId, failure);
    log.moveCursor(send, workspaceId, upTo);
    return { entries, hasMore: upTo !== reach.head, failures };
  });
}

async function nextBatches(send: Send, workspaceId: string, reach: log.Reach, batchesMax: number) {
  const listed = await log.listBatches(send, workspaceId, reach, batchesMax);
  let rows = 0;
  const batches = listed.filter(({ count }, index) => {
    rows += count;
    return index === 0 || rows <= ROWS_MAX;
  });
  const isLast = batches.length === listed.length && listed.length < batchesMax;
  return { batches, upTo: isLast ? reach.head : (batches.at(-1)?.seq ?? reach.head) };
}

async function readEntries(send: Send, workspaceId: string, batches: readonly log.LogBatch[]) {
  const entries: ProjectedRecord[] = [];
  const failures: log.Failure[] = [];
  if (batches.length === 0) return { entries, failures };
  for (const row of await log.listRows(send, workspaceId, batches)) {
    try {
      entries.push(entryWithWords(row, dispatchFacts.parse(JSON.parse(row.facts ?? "null")), row));
    } catch (error) {
      const seq = batches.find(({ ids }) => ids.includes(row.id))?.seq ?? "0";
      failures.push(failureOf(seq, row, `its facts cannot be read: ${messageOf(error)}`));
    }
  }
  return { entries, failures };
}

/** Null when the entry is counted. */
async function troubleOf(
  client: PoolClient,
  entry: ProjectedRecord,
  followers: readonly Follower[],
): Promise<string | null> {
  const sent: Promise<unknown>[] = [];
  await client.query("SAVEPOINT one");
  const made = writeFigures(
    (query) => {
      const result = client.query(query);
      sent.push(result);
      result.catch(() => undefined);
      // Holds: the caller names the rows that its query gives.
      return result as never;
    },
    [entry],
    followers,
  );
  await made.catch(() => undefined); // of a query that is among those sent
  const settled = await Promise.allSettled(sent);
  const failed = settled.find((one) => one.status === "rejected");
  if (failed === undefined) {
    await client.query("RELEASE SAVEPOINT one");
    return null;
  }
  if (!isOfData(failed.reason)) throw failed.reason;
  await client.query("ROLLBACK TO SAVEPOINT one");
  return messageOf(failed.reason);
}

const TROUBLE_MAX = 500;
const messageOf = (error: unknown): string =>
  truncateText(error instanceof Error ? error.message : String(error), TROUBLE_MAX);

const failureOf = (
  seq: string,
  { id, occurredAt }: { id: string; occurredAt: Date },
  trouble: string,
): log.Failure => ({
  ...{ seq, dispatchId: id, occurredAt, trouble },
});

/** PostgreSQL's error classes for data: a number out of range, a constraint, a row that is too long. */
export function isOfData(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^(22|23|54)/.test(code);
}
