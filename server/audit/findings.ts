/** The findings of a verification, in two drawers that are never mixed: alterations, and absences. */
import { z } from "zod";

const finding = z.strictObject({
  /** The entry it is about; null when it is about none. */
  seq: z.number().nullable(),
  kind: z.string().nullable(),
  /** The rest of a sentence that begins with the entry's name: "its content is not what was recorded". */
  says: z.string(),
});
export type Finding = z.infer<typeof finding>;

export interface Found {
  /** The first ones, by entry; never more than `FINDINGS_MAX`. */
  readonly findings: readonly Finding[];
  readonly count: number;
}

export const FINDINGS_MAX = 100;

/** Findings between two ranges of one verification. */
export const findingsState = z.strictObject({
  kept: z.array(finding).max(FINDINGS_MAX),
  count: z.number().int().nonnegative(),
});
export type FindingsState = z.infer<typeof findingsState>;

export function createFindings(saved: FindingsState = { kept: [], count: 0 }) {
  const kept: Finding[] = saved.kept.map((one) => ({ ...one }));
  let { count } = saved;
  return {
    add(finding: Finding): Finding {
      count += 1;
      if (kept.length < FINDINGS_MAX) kept.push(finding);
      return finding;
    },
    /** Takes back what turned out to be part of another finding. */
    drop(finding: Finding): void {
      count -= 1;
      const at = kept.indexOf(finding);
      if (at !== -1) kept.splice(at, 1);
    },
    /** The index of a stored finding, by which `at` finds it again after a restart; -1 above the limit. */
    placeOf: (one: Finding): number => kept.indexOf(one),
    at: (place: number): Finding => kept[place] ?? { seq: null, kind: null, says: "" },
    save: (): FindingsState => ({ kept: kept.map((one) => ({ ...one })), count }),
    found: (): Found => ({ findings: kept.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0)), count }),
  };
}
export type Findings = ReturnType<typeof createFindings>;

export interface Drawers {
  readonly altered: Findings;
  readonly missing: Findings;
}
