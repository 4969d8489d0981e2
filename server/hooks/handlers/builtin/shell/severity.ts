/** The worse of two findings counts. */
import type { DestructiveRow, Radius } from "./taxonomy/row.ts";

const RANKS = { low: 0, medium: 1, unknown: 2, high: 3 } as const;

const rank = (found: DestructiveRow | null): number => RANKS[found?.radius ?? "unknown"];

/** `found` unless `other` is worse. Finding nothing means unknown, which is worse than what is known to be small. */
export function pickWorse(found: DestructiveRow | null, other: DestructiveRow | null): DestructiveRow | null {
  return other && rank(other) > rank(found) ? other : found;
}

/** Worst first; rows alike keep their order. */
export function byRadius<Row extends { readonly radius: Radius }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => RANKS[b.radius] - RANKS[a.radius]);
}
