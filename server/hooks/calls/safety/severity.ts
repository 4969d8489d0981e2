/** Compares findings by severity. */
import type { DestructiveRow, Radius } from "./taxonomy/row.ts";

const RANKS = { low: 0, medium: 1, unknown: 2, high: 3 } as const;

const rank = (found: DestructiveRow | null): number => RANKS[found?.radius ?? "unknown"];

/** Returns `found` unless `other` is worse. No finding means unknown, which is worse than known low damage. */
export function pickWorse(found: DestructiveRow | null, other: DestructiveRow | null): DestructiveRow | null {
  return other && rank(other) > rank(found) ? other : found;
}

/** Sorts worst first. Equal rows keep their order. */
export function byRadius<Row extends { readonly radius: Radius }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => RANKS[b.radius] - RANKS[a.radius]);
}
