/**
 * Checks that the stored dispatches are those that were recorded: every row against its leaf in its batch's entry.
 * Missing rows must have been dropped or erased by an entry that says so.
 */
import { z } from "zod";
import { absenceState, createAbsenceCheck, type Unexcused, type UnnumberedDrop } from "./absence-check.ts";
import type { ChainedEntry } from "./chain.ts";
import type { Drawers, Findings } from "./findings.ts";
import { splitLeaves } from "./leaf.ts";

/** A dispatch that is held, as far as its batch is concerned. */
export interface HeldRow {
  readonly id: string;
  readonly batch: string;
  readonly place: number;
  /** The leaf of the present row; null when it cannot be computed. */
  readonly leaf: string | null;
  readonly isErased: boolean;
}

const batchCount = z.strictObject({
  batches: z.number(),
  rows: z.number(),
  held: z.number(),
  erased: z.number(),
  dropped: z.number(),
  /** Recorded before rows had leaves: they were counted, and cannot be proven one by one. */
  unproven: z.number(),
});
export type BatchCount = z.infer<typeof batchCount>;

/** A row without content whose erasing entry is still to come: its id in 32 hex digits, and the entry of its batch. */
const blanked = z.tuple([z.string(), z.number()]);
export type Blanked = z.infer<typeof blanked>;

/** The state of the check between two ranges; a batch is never split between two. */
export const batchState = z.strictObject({
  count: batchCount.omit({ dropped: true }),
  absences: absenceState,
  blanked: z.array(blanked),
});
export type BatchState = z.infer<typeof batchState>;

const recorded = z.object({
  version: z.number(),
  count: z.number(),
  batch: z.string().optional(),
  leaves: z.string().optional(),
  earliest: z.string().default(""),
  latest: z.string().default(""),
});
const count = z.number().int().nonnegative();
const dropped = z.object({ before: z.string(), count });
const removed = z.object({ count: count.default(0), days: z.record(z.string(), count).optional() });
const erased = z.object({ dispatches: z.string() });

interface Batch {
  readonly entry: ChainedEntry;
  readonly id: string;
  readonly leaves: readonly string[];
  readonly earliest: string;
  readonly latest: string;
  readonly there: Set<number>;
}

/** `isPicked`: only chosen rows are given, and the others are not expected; neither is the entry that erased a row. */
export function createBatchCheck({ altered, missing }: Drawers, saved?: BatchState, isPicked = false) {
  let open: Batch | null = null;
  const count = { ...(saved?.count ?? { batches: 0, rows: 0, held: 0, erased: 0, unproven: 0 }) };
  const absences = createAbsenceCheck(saved?.absences);
  const contents = createContentCheck(altered, saved?.blanked);

  function entry(one: ChainedEntry): void {
    close();
    if (one.kind === "dispatches_recorded") {
      const body = read(one, recorded);
      if (body?.version === 1) count.unproven += body.count;
      else if (body) begin(one, body);
    } else if (one.kind === "content_erased") contents.explain(read(one, erased)?.dispatches ?? "");
    else {
      const drop = dropOf(one);
      if (drop) absences.drop(drop);
    }
  }

  function begin(one: ChainedEntry, body: z.infer<typeof recorded>): void {
    open = batchOf(one, body);
    if (open === null) return;
    count.batches += 1;
    count.rows += body.count;
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
      if (!isPicked) contents.add(one.id, seq);
    }
  }

  const stray = (id: string): void =>
    void altered.add({ seq: null, kind: null, says: `dispatch ${id} belongs to no batch that was recorded` });

  function close(): void {
    if (open === null) return;
    const { entry: of, leaves, there, earliest, latest } = open;
    open = null;
    const rows = leaves.length - there.size;
    if (rows > 0 && !isPicked) absences.add({ seq: of.seq, rows, of: leaves.length }, earliest, latest);
  }

  return {
    entry,
    row,
    stray,
    end(): BatchCount {
      close();
      contents.end();
      return { ...count, dropped: reportAbsences(missing, absences.end()) };
    },
    lostContent: contents.lost,
    /** True while something is absent or blank that an entry to come may account for. */
    isOpen(): boolean {
      close();
      return absences.hasAny() || contents.hasAny();
    },
    takeBlanked: contents.take,
    save(): BatchState {
      close();
      return { count: { ...count }, absences: absences.save(), blanked: contents.save() };
    },
  };
}

/** Null when its leaves cannot be read; the chain check names an entry that was changed. */
function batchOf(entry: ChainedEntry, body: z.infer<typeof recorded>): Batch | null {
  const { batch: id, count: rows, leaves: text, earliest, latest } = body;
  const leaves = splitLeaves(text ?? "", rows);
  return leaves === null || id === undefined ? null : { entry, id, leaves, earliest, latest, there: new Set() };
}

/** The rows that an entry reports as dropped; null for entries of other kinds. */
function dropOf(one: ChainedEntry): UnnumberedDrop | null {
  if (one.kind === "dispatches_dropped") {
    const drop = read(one, dropped);
    return drop && { by: "cutoff", ...drop };
  }
  if (one.kind !== "demo_removed") return null;
  const { days, count: rows = 0 } = read(one, removed) ?? {};
  return days ? { by: "days", days } : { by: "count", before: one.at, count: rows };
}

/** Returns the number of rows that entries account for. */
function reportAbsences(missing: Findings, { groups, beyond, excused }: Unexcused): number {
  const miss = (seq: number | null, says: string) => missing.add({ seq, kind: "dispatches_recorded", says });
  for (const { rows, from, to, samples } of groups) {
    for (const one of samples)
      miss(one.seq, `${one.rows} of its ${one.of} dispatches ${one.rows === 1 ? "is" : "are"} missing`);
    const rest = samples.reduce((sum, one) => sum - one.rows, rows);
    if (rest > 0) miss(from, `${rest} dispatches more of the entries up to ${to} are missing`);
  }
  if (beyond.rows > 0)
    miss(
      beyond.from,
      `${beyond.rows} dispatches more are gone than the ${beyond.dropped} that entries say were dropped`,
    );
  return excused;
}

/** Rows without content, against the entries that say they were erased. */
function createContentCheck(altered: Findings, saved?: readonly Blanked[]) {
  const unexplained = new Map<string, number>(saved);
  let explained: string[] = [];

  function lost(id: string, seq: number): void {
    const says = `dispatch ${id} lost its content, and no entry says that it was erased`;
    altered.add({ seq, kind: "dispatches_recorded", says });
  }

  return {
    lost,
    add: (id: string, seq: number): void => void unexplained.set(id.replaceAll("-", ""), seq),
    /** `ids` are 32 hex digits each. */
    explain(ids: string): void {
      for (let at = 0; at < ids.length; at += 32) {
        const id = ids.slice(at, at + 32);
        if (!unexplained.delete(id)) explained.push(id);
      }
    },
    end(): void {
      for (const [id, seq] of unexplained) lost(id, seq);
    },
    hasAny: (): boolean => unexplained.size > 0,
    /** Returns rows without content that no entry has explained yet, and the ids in entries of rows given before. */
    take(): { readonly blanked: Blanked[]; readonly explained: string[] } {
      const taken = { blanked: [...unexplained], explained };
      unexplained.clear();
      explained = [];
      return taken;
    },
    save: (): Blanked[] => [...unexplained],
  };
}

function read<T>(one: ChainedEntry, shape: z.ZodType<T>): T | null {
  try {
    return shape.safeParse(JSON.parse(one.body)).data ?? null;
  } catch {
    // The chain check names it.
    return null;
  }
}
