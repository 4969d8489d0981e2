/**
 * Ranges of the chain whose dispatches are limited to some thousands and some megabytes. Verification and export read
 * one range at a time, so that memory and statement times are limited, whatever the record's length.
 */
import type { ChainedEntry } from "../../audit/chain.ts";
import { BATCH_KIND } from "../../audit/chain-batch.ts";
import { type BatchSpan, listEntries, listSizes, type Reader } from "../repository.ts";

export interface RangeLimits {
  readonly entries: number;
  readonly rows: number;
  /** Bytes of contents; one batch may be larger. */
  readonly bytes: number;
}

/** Rows of one batch that are read, even if more were planted. A genuine batch has at most 512. */
const ROWS_OF_BATCH_MAX = 20_000;

const BATCH = /"batch":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;
const INSTANT = String.raw`(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)`;
const EARLIEST = new RegExp(`"earliest":"${INSTANT}"`);
const LATEST = new RegExp(`"latest":"${INSTANT}"`);

export interface NamedBatch {
  readonly id: string;
  readonly count: number;
  /** Null when the entry does not say. */
  readonly span: readonly [earliest: string, latest: string] | null;
}

/** The batch that an entry names, parsed leniently: a tampered entry must still be verified and exported. */
export function batchOf({ kind, body }: Pick<ChainedEntry, "kind" | "body">): NamedBatch | null {
  if (kind !== BATCH_KIND) return null;
  const id = BATCH.exec(body)?.[1];
  if (id === undefined) return null;
  const [earliest, latest] = [EARLIEST.exec(body)?.[1], LATEST.exec(body)?.[1]];
  const isInstant = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));
  const span = isInstant(earliest) && isInstant(latest) ? ([earliest, latest] as const) : null;
  return { id, count: Number(/"count":(\d{1,9})/.exec(body)?.[1] ?? 1), span };
}

/** Reads dispatches of batches in some form. */
export type ReadRows<Row> = (db: Reader, workspaceId: string, of: BatchSpan, limit: number) => Promise<readonly Row[]>;

export interface ChainRange<Row> {
  readonly entries: readonly ChainedEntry[];
  /** The dispatches of each batch, once. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

/**
 * The next range after an entry; without entries at the end. Entries with the same number are never split between two
 * ranges.
 */
export async function readRange<Row extends { readonly batch: string }>(
  db: Reader,
  workspaceId: string,
  { after, to, limits }: { readonly after: number; readonly to: number; readonly limits: RangeLimits },
  read: ReadRows<Row> | null,
): Promise<ChainRange<Row>> {
  const listed = await listEntries(db, workspaceId, { after, to, limit: limits.entries });
  if (read === null) return { entries: listed, rows: new Map() };
  const some = within(listed, limits.rows, (batch) => batch.count);
  const sizes = await sizesOf(db, workspaceId, some);
  const entries = within(some, limits.bytes, ({ id }) => sizes.get(id) ?? 0);
  const batches = entries.flatMap((entry) => batchOf(entry) ?? []);
  const rows = new Map<string, Row[]>();
  for (const span of spansOf(batches)) add(rows, await read(db, workspaceId, span, ROWS_OF_BATCH_MAX));
  // Batches whose rows are not all where they say: dropped, or moved in time.
  const short = batches.filter(({ id, count, span }) => span !== null && (rows.get(id)?.length ?? 0) < count);
  if (short.length > 0) {
    for (const { id } of short) rows.delete(id);
    add(rows, await read(db, workspaceId, { batches: short.map(({ id }) => id), span: null }, ROWS_OF_BATCH_MAX));
  }
  return { entries, rows };
}

async function sizesOf(db: Reader, workspaceId: string, entries: readonly ChainedEntry[]) {
  const sizes = new Map<string, number>();
  for (const span of spansOf(entries.flatMap((entry) => batchOf(entry) ?? [])))
    for (const { batch, bytes } of await listSizes(db, workspaceId, span, ROWS_OF_BATCH_MAX)) sizes.set(batch, bytes);
  return sizes;
}

/** The batches that say when they were, together; the others by themselves. */
function spansOf(batches: readonly NamedBatch[]): BatchSpan[] {
  const dated = batches.flatMap(({ id, span }) => (span === null ? [] : [{ id, span }]));
  const undated = batches.filter(({ span }) => span === null).map(({ id }) => id);
  const [earliest] = dated.map(({ span }) => span[0]).toSorted();
  const latest = dated
    .map(({ span }) => span[1])
    .toSorted()
    .at(-1);
  const spans: BatchSpan[] = undated.length > 0 ? [{ batches: undated, span: null }] : [];
  if (earliest === undefined || latest === undefined) return spans;
  return [...spans, { batches: dated.map(({ id }) => id), span: [earliest, latest] }];
}

function add<Row extends { readonly batch: string }>(to: Map<string, Row[]>, rows: readonly Row[]): void {
  for (const row of rows) {
    const of = to.get(row.batch) ?? [];
    to.set(row.batch, of);
    of.push(row);
  }
}

/** So many entries from the first on that their batches do not become too much; one at least. */
function within(
  entries: readonly ChainedEntry[],
  max: number,
  sizeOf: (batch: NamedBatch) => number,
): readonly ChainedEntry[] {
  let sum = 0;
  for (const [at, entry] of entries.entries()) {
    const batch = batchOf(entry);
    sum += batch === null ? 0 : sizeOf(batch);
    if (sum > max && at > 0 && entries[at - 1]?.seq !== entry.seq) return entries.slice(0, at);
  }
  return entries;
}
