/** What a verification found, in two drawers that are never mixed: what was altered, and what is missing. */

export interface Finding {
  /** The entry it is about; null when it is about none. */
  seq: number | null;
  kind: string | null;
  /** One sentence after the entry's name: "its content is not what was recorded". */
  says: string;
}

export interface Found {
  /** The first ones, by entry; never more than `FINDINGS_MAX`. */
  readonly findings: readonly Finding[];
  readonly count: number;
}

export const FINDINGS_MAX = 100;

export function createFindings() {
  const kept: Finding[] = [];
  let count = 0;
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
    found: (): Found => ({ findings: kept.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0)), count }),
  };
}
export type Findings = ReturnType<typeof createFindings>;

export interface Drawers {
  readonly altered: Findings;
  readonly missing: Findings;
}
