/**
 * Compares missing dispatches with the entries that explain them. An entry excuses as many rows as it names, in batches
 * recorded before it, and only rows that it can have dropped: those before its cut-off, or of its days. Absences
 * between two such entries are one group per day, so that years of retention need little memory.
 */
import { z } from "zod";

/** Batches that are named one by one: in a group, and in all. */
const SAMPLES_OF_GROUP_MAX = 20;
const SAMPLES_MAX = 2_000;

const absent = z.strictObject({ seq: z.number(), rows: z.number(), of: z.number() });
const group = z.strictObject({
  /** The number of dropping entries that came before it. */
  epoch: z.number().int(),
  /** UTC days of the first and the last row of its batches. */
  day: z.string(),
  until: z.string(),
  rows: z.number().int(),
  from: z.number(),
  to: z.number(),
  /** The first batches; the rest is counted. */
  samples: z.array(absent).max(SAMPLES_OF_GROUP_MAX),
});
export type AbsentGroup = z.infer<typeof group>;

const drop = z.discriminatedUnion("by", [
  /** Retention: rows that occurred before an instant. */
  z.strictObject({ by: z.literal("cutoff"), epoch: z.number().int(), before: z.string(), count: z.number() }),
  /** Removal of demo data: the number of rows of each day. */
  z.strictObject({ by: z.literal("days"), epoch: z.number().int(), days: z.record(z.string(), z.number()) }),
  /** Removal of demo data as older versions recorded it: the number of rows from before an instant. */
  z.strictObject({ by: z.literal("count"), epoch: z.number().int(), before: z.string(), count: z.number() }),
]);
export type Drop = z.infer<typeof drop>;
type Unnumbered<T> = T extends unknown ? Omit<T, "epoch"> : never;
export type UnnumberedDrop = Unnumbered<Drop>;

/** Absences between two ranges of one verification. */
export const absenceState = z.strictObject({
  epoch: z.number().int(),
  isUsed: z.boolean(),
  groups: z.array(group),
  drops: z.array(drop),
});
export type AbsenceState = z.infer<typeof absenceState>;

export interface Unexcused {
  /** Batches that no entry can have dropped rows of; `rows` beyond the samples are counted alone. */
  readonly groups: readonly AbsentGroup[];
  /** Missing rows beyond those that entries explain, and the first batch that they may belong to. */
  readonly beyond: { readonly rows: number; readonly dropped: number; readonly from: number | null };
  /** Rows that entries account for. */
  readonly excused: number;
}

export function createAbsenceCheck(saved?: AbsenceState) {
  let epoch = saved?.epoch ?? 0;
  let isUsed = saved?.isUsed ?? false;
  const groups = new Map((saved?.groups ?? []).map((one) => [keyOf(one), { ...one, samples: [...one.samples] }]));
  const drops: Drop[] = [...(saved?.drops ?? [])];
  let samples = [...groups.values()].reduce((sum, one) => sum + one.samples.length, 0);

  return {
    add({ seq, rows, of }: z.infer<typeof absent>, earliest: string, latest: string): void {
      isUsed = true;
      const [day, until] = [earliest.slice(0, 10), (latest < earliest ? earliest : latest).slice(0, 10)];
      const fresh: AbsentGroup = { epoch, day, until, rows: 0, from: seq, to: seq, samples: [] };
      const known = groups.get(keyOf(fresh)) ?? fresh;
      if (known === fresh) groups.set(keyOf(fresh), fresh);
      known.rows += rows;
      known.to = seq;
      if (known.samples.length >= SAMPLES_OF_GROUP_MAX) return;
      known.samples.push({ seq, rows, of });
      samples += 1;
      if (samples > SAMPLES_MAX) forgetOldest(known);
    },
    drop(of: UnnumberedDrop): void {
      if (isUsed) epoch += 1;
      isUsed = false;
      const last = drops.at(-1);
      const isSame = last?.epoch === epoch && last.by !== "days" && last.by === of.by && last.before === of.before;
      if (isSame) last.count += of.count;
      else drops.push({ ...of, epoch });
    },
    /** True while rows are absent that an entry to come may account for. */
    hasAny: () => groups.size > 0,
    end: (): Unexcused => excuse([...groups.values()], drops),
    save: (): AbsenceState => ({
      epoch,
      isUsed,
      groups: [...groups.values()].map((one) => ({ ...one, samples: [...one.samples] })),
      drops: drops.map((one) => ({ ...one })),
    }),
  };

  /** Old absences are the ones that retention explains: they are named least. */
  function forgetOldest(kept: AbsentGroup): void {
    for (const one of groups.values()) {
      if (one === kept || one.samples.length === 0) continue;
      samples -= one.samples.length;
      one.samples.length = 0;
      return;
    }
  }
}

const keyOf = ({ epoch, day, until }: AbsentGroup): string => `${epoch} ${day} ${until}`;
const countOf = (one: Drop): number =>
  one.by === "days" ? Object.values(one.days).reduce((sum, rows) => sum + rows, 0) : one.count;

const canExcuse = (one: Drop, of: AbsentGroup): boolean =>
  of.epoch < one.epoch &&
  (one.by === "days"
    ? Object.keys(one.days).some((day) => of.day <= day && day <= of.until)
    : `${of.day}T00:00:00.000Z` < one.before);

/** The entries that can excuse the fewest rows choose first, and each takes the youngest batches before it. */
function excuse(groups: readonly AbsentGroup[], drops: readonly Drop[]): Unexcused {
  const left = new Map(groups.map((one) => [one, one.rows]));
  const youngestFirst = groups.toSorted((a, b) => b.epoch - a.epoch || (a.until < b.until ? -1 : 1));
  const take = (rows: number, isEligible: (of: AbsentGroup) => boolean): void => {
    let open = rows;
    for (const one of youngestFirst) {
      if (open <= 0) return;
      const rest = left.get(one) ?? 0;
      if (rest === 0 || !isEligible(one)) continue;
      const taken = Math.min(open, rest);
      left.set(one, rest - taken);
      open -= taken;
    }
  };
  for (const one of drops)
    if (one.by === "days")
      for (const [day, rows] of Object.entries(one.days).toSorted())
        take(rows, (of) => of.epoch < one.epoch && of.day <= day && day <= of.until);
  for (const by of ["cutoff", "count"] as const) {
    const own = drops.flatMap((one) => (one.by !== "days" && one.by === by ? [one] : []));
    for (const one of own.toSorted((a, b) => (a.before < b.before ? -1 : 1)))
      take(one.count, (of) => canExcuse(one, of));
  }
  const remaining = groups.filter((one) => (left.get(one) ?? 0) > 0);
  const isExcusable = (of: AbsentGroup) => drops.some((one) => canExcuse(one, of));
  const over = remaining.filter(isExcusable);
  const sum = (of: readonly AbsentGroup[]) => of.reduce((rows, one) => rows + (left.get(one) ?? 0), 0);
  return {
    groups: remaining.filter((one) => !isExcusable(one)),
    beyond: {
      rows: sum(over),
      dropped: drops.reduce((rows, one) => rows + countOf(one), 0),
      from: over[0]?.samples[0]?.seq ?? over[0]?.from ?? null,
    },
    excused: groups.reduce((rows, one) => rows + one.rows, 0) - sum(remaining),
  };
}
