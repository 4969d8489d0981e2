/**
 * Whether the dispatches that are held are those that were recorded: every row against its leaf in its batch's entry.
 * What is held no more must have been dropped or erased by an entry that says so.
 */
import { z } from "zod";
import type { ChainedEntry } from "./chain.ts";
import type { Drawers } from "./findings.ts";
import { leavesIn } from "./leaf.ts";

/** A dispatch that is held, as far as its batch is concerned. */
export interface HeldRow {
  readonly id: string;
  readonly batch: string;
  readonly place: number;
  /** Made of the row as it is now; null when it cannot be made. */
  readonly leaf: string | null;
  readonly isErased: boolean;
}

export interface BatchCount {
  readonly batches: number;
  readonly rows: number;
  readonly held: number;
  readonly erased: number;
  readonly dropped: number;
  /** Recorded before rows had leaves: they were counted, and cannot be proven one by one. */
  readonly unproven: number;
}

const recorded = z.object({
  version: z.number(),
  count: z.number(),
  batch: z.string().optional(),
  leaves: z.string().optional(),
  earliest: z.string().optional(),
});
const dropped = z.object({ before: z.string().optional(), count: z.number().default(0) });
const erased = z.object({ dispatches: z.string() });

interface Batch {
  readonly entry: ChainedEntry;
  readonly id: string;
  readonly leaves: readonly string[];
  readonly earliest: string;
  readonly there: Set<number>;
}
interface Absent {
  readonly seq: number;
  readonly earliest: string;
  readonly rows: number;
  readonly of: number;
}

/** Absent batches told one by one; the rest are counted by day. */
const ABSENT_MAX = 10_000;

/** `isWhole`: every row that is held will be told, so that counts must agree in the end. */
export function createBatchCheck({ altered, missing }: Drawers, isWhole: boolean) {
  let open: Batch | null = null;
  const count = { batches: 0, rows: 0, held: 0, erased: 0, absent: 0, unproven: 0 };
  const absent: Absent[] = [];
  const absentByDay = new Map<string, number>();
  /** Erased rows whose entry is still to come. */
  const unexplained = new Map<string, number>();
  let droppedRows = 0;
  let droppedBefore = "";
  let hasDemoDrop = false;

  function entry(one: ChainedEntry): void {
    close();
    const body = one.kind === "dispatches_recorded" ? read(one, recorded) : null;
    if (body?.version === 1) count.unproven += body.count;
    else if (body) begin(one, body);
    else if (one.kind === "dispatches_dropped" || one.kind === "demo_removed") {
      const drop = read(one, dropped);
      if (drop?.before === undefined) hasDemoDrop = true;
      else if (drop.before > droppedBefore) droppedBefore = drop.before;
      droppedRows += drop?.count ?? 0;
    } else if (one.kind === "content_erased") {
      const ids = read(one, erased)?.dispatches ?? "";
      for (let at = 0; at < ids.length; at += 32) unexplained.delete(ids.slice(at, at + 32));
    }
  }

  function begin(one: ChainedEntry, body: z.infer<typeof recorded>): void {
    const leaves = leavesIn(body.leaves ?? "", body.count);
    if (leaves === null || body.batch === undefined) return;
    count.batches += 1;
    count.rows += body.count;
    open = { entry: one, id: body.batch, leaves, earliest: body.earliest ?? "", there: new Set() };
  }

  function row(one: HeldRow): void {
    if (open === null || open.id !== one.batch) {
      stray(one.id);
      return;
    }
    const { seq, kind } = open.entry;
    const add = (says: string) => altered.add({ seq, kind, says: `dispatch ${one.id} ${says}` });
    const leaf = open.leaves[one.place];
    if (leaf === undefined || open.there.has(one.place)) {
      add("is one more than was recorded in this batch");
      return;
    }
    open.there.add(one.place);
    count.held += 1;
    if (one.leaf !== leaf) add("is not what was recorded");
    else if (one.isErased) {
      count.erased += 1;
      unexplained.set(one.id.replaceAll("-", ""), seq);
    }
  }

  function stray(id: string): void {
    altered.add({ seq: null, kind: null, says: `dispatch ${id} belongs to no batch that was recorded` });
  }

  function close(): void {
    if (open === null) return;
    const { entry: of, leaves, there, earliest } = open;
    open = null;
    const rows = leaves.length - there.size;
    if (rows === 0) return;
    count.absent += rows;
    if (absent.length < ABSENT_MAX) absent.push({ seq: of.seq, earliest, rows, of: leaves.length });
    const day = earliest.slice(0, 10);
    absentByDay.set(day, (absentByDay.get(day) ?? 0) + rows);
  }

  function end(): BatchCount {
    close();
    for (const [id, seq] of unexplained)
      altered.add({
        seq,
        kind: "dispatches_recorded",
        says: `dispatch ${id} lost its content, and no entry says that it was erased`,
      });
    // Whatever began before a drop may have lost rows to it.
    const isExcused = (earliest: string) => hasDemoDrop || earliest < droppedBefore;
    for (const { seq, earliest, rows, of } of absent)
      if (!isExcused(earliest))
        missing.add({
          seq,
          kind: "dispatches_recorded",
          says: `${rows} of its ${of} dispatches ${rows === 1 ? "is" : "are"} missing`,
        });
    const excused = [...absentByDay].reduce((sum, [day, rows]) => sum + (isExcused(day) ? rows : 0), 0);
    if (isWhole && excused > droppedRows)
      missing.add({
        seq: absent.find(({ earliest }) => isExcused(earliest))?.seq ?? null,
        kind: "dispatches_recorded",
        says: `${excused - droppedRows} dispatches more are gone than the ${droppedRows} that entries say were dropped`,
      });
    const { absent: gone, ...rest } = count;
    return { ...rest, dropped: Math.min(gone, droppedRows) };
  }

  return { entry, row, stray, end };
}

function read<T>(one: ChainedEntry, shape: z.ZodType<T>): T | null {
  try {
    return shape.safeParse(JSON.parse(one.body)).data ?? null;
  } catch {
    // The chain check names it.
    return null;
  }
}
