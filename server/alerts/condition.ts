/** The value that a rule compares and what follows from it. Pure: the evaluation and the preview go through here. */

import { measureOf } from "./measure-schema.ts";
import type { AlertState, Condition } from "./schema.ts";

/** Sums of columns over a window, and how many cells there were at all. */
export interface Sums {
  readonly cells: bigint;
  readonly of: (column: string) => bigint;
}

export interface Reading {
  /** In the measure's unit, or thousandths of a percent for a change. Null: not known. */
  readonly value: bigint | null;
  /** The part of the calls it is known for; null where that is not a question. */
  readonly coverage: number | null;
}

/** 100 %, in thousandths of a percent. */
const WHOLE = 100_000n;
const UNKNOWN: Reading = { value: null, coverage: null };

/** The measure over one window. */
export function readingOf(name: Condition["measure"], sums: Sums): Reading {
  const { sum, of, known, isKnownWithoutEvents } = measureOf(name);
  if (sums.cells === 0n) return isKnownWithoutEvents ? { value: 0n, coverage: null } : UNKNOWN;
  const total = (columns: readonly string[]) => columns.reduce((all, column) => all + sums.of(column), 0n);
  if (of) {
    const whole = total(of);
    return whole === 0n ? UNKNOWN : { value: (total(sum) * WHOLE) / whole, coverage: null };
  }
  if (!known) return { value: total(sum), coverage: null };
  const [part, whole] = [total(known.part), total(known.of)];
  if (whole > 0n && part === 0n) return { value: null, coverage: 0 };
  return { value: total(sum), coverage: whole === 0n ? null : Number((part * WHOLE) / whole) / Number(WHOLE) };
}

export const isRelative = ({ comparison }: Pick<Condition, "comparison">): boolean =>
  comparison === "rises_by" || comparison === "falls_by";

/** The relative change since the window before; unknown when that window has no value. */
export function relativeChange(before: Reading, now: Reading): Reading {
  if (now.value === null || before.value === null || before.value === 0n) return { ...UNKNOWN, coverage: now.coverage };
  return { value: ((now.value - before.value) * WHOLE) / before.value, coverage: now.coverage };
}

/** True if the condition holds; null when the value is unknown. */
export function holds({ comparison, threshold }: Pick<Condition, "comparison" | "threshold">, value: bigint | null) {
  if (value === null) return null;
  if (comparison === "above") return value > threshold;
  if (comparison === "below") return value < threshold;
  return comparison === "rises_by" ? value >= threshold : -value >= threshold;
}

export interface AlertStatus {
  readonly state: AlertState;
  readonly sinceMs: number;
  /** True if a notice was sent that the alert fires, and none yet that it stopped. */
  readonly isTold: boolean;
}

/** After a longer gap between checks, it is unknown whether the condition held throughout. */
const LOOKS_APART_MS_MAX = 5 * 60_000;

/**
 * The rule's status after one check. An unknown value is neither good nor bad: it resolves nothing, and a sent alert
 * stays open when its data returns.
 */
export function nextAlertStatus(
  before: AlertStatus,
  isHolding: boolean | null,
  { atMs, lastMs, forMinutes }: { readonly atMs: number; readonly lastMs: number | null; readonly forMinutes: number },
): AlertStatus {
  const to = (state: AlertState): AlertStatus => ({
    state,
    sinceMs: before.state === state ? before.sinceMs : atMs,
    isTold: before.isTold,
  });
  if (isHolding === null) return to("no_data");
  if (!isHolding) return to("ok");
  if (before.state === "firing" || before.isTold || forMinutes === 0) return to("firing");
  const hasGap = lastMs !== null && atMs - lastMs > LOOKS_APART_MS_MAX;
  if (before.state !== "pending" || hasGap) return { ...to("pending"), sinceMs: atMs };
  return atMs - before.sinceMs >= forMinutes * 60_000 ? to("firing") : to("pending");
}
