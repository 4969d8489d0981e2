/** Periods of budgets, in days of UTC, everywhere the same. */
import type { Period } from "./schema.ts";

/** The day of UTC, as PostgreSQL reads a date. */
export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** The period that holds an instant; nulls for the one without a beginning and an end. */
export function periodOf(period: Period, nowMs: number): { readonly start: Date | null; readonly end: Date | null } {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (period === "total") return { start: null, end: null };
  return period === "day"
    ? { start: new Date(Date.UTC(year, month, day)), end: new Date(Date.UTC(year, month, day + 1)) }
    : { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
