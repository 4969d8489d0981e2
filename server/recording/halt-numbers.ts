/** The numbers of halts at the decisions of a batch (docs/adr/0056-a-halt-stands-in-the-chains-head.md). */
import type { ProjectedRecord } from "./tables.ts";

interface Decided {
  readonly entry: ProjectedRecord;
}

/** The newest halt number among the verdicts of each workspace; workspaces without a verdict are absent. */
export function newestHaltNumbers(batch: readonly Decided[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { entry } of batch) {
    const { workspaceId, haltNumber } = entry.record;
    if (haltNumber === undefined) continue;
    newest.set(workspaceId, Math.max(haltNumber, newest.get(workspaceId) ?? haltNumber));
  }
  return newest;
}

/** Splits a batch into what holds under `numbers` and the verdicts that were decided under others. */
export function splitByHaltNumber<T extends Decided>(
  batch: readonly T[],
  numbers: ReadonlyMap<string, number>,
): { readonly current: T[]; readonly outdated: T[] } {
  const current: T[] = [];
  const outdated: T[] = [];
  for (const one of batch) {
    const { workspaceId, haltNumber } = one.entry.record;
    const holds = haltNumber === undefined || haltNumber === numbers.get(workspaceId);
    (holds ? current : outdated).push(one);
  }
  return { current, outdated };
}
