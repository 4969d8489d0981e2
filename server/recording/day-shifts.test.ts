import { describe, expect, test } from "vitest";
import { type DayBoundary, dayShiftsOf, utcStartOf } from "./day-shifts.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const boundary = (startsAt: string, more: Partial<DayBoundary> = {}): DayBoundary => ({
  ...{ before: "yesterday", after: "today", startsAt: new Date(startsAt), utcStart: utcStartOf("2026-11-10") },
  ...more,
});
const shiftsOf = (one: DayBoundary, range?: { from: Date; to: Date }, nowMs = NOW) =>
  dayShiftsOf([one], range, nowMs).map(({ unit, from, to, name, sign }) => [
    ...[unit, from.toISOString().slice(5, 16), to.toISOString().slice(5, 16), name, sign],
  ]);

describe("what lies between two midnights", () => {
  test("is nothing where they are one", () => {
    expect(shiftsOf(boundary("2026-11-10T00:00:00Z"))).toEqual([]);
  });

  test("is today's and not yesterday's where the zone is ahead", () => {
    expect(shiftsOf(boundary("2026-11-09T22:00:00Z"))).toEqual([
      ["hour", "11-09T22:00", "11-10T00:00", "today", 1],
      ["hour", "11-09T22:00", "11-10T00:00", "yesterday", -1],
    ]);
  });

  test("is yesterday's and not today's where the zone is behind; half hours are read by the row", () => {
    expect(shiftsOf(boundary("2026-11-10T03:30:00Z"))).toEqual([
      ["hour", "11-10T00:00", "11-10T03:00", "yesterday", 1],
      ["hour", "11-10T00:00", "11-10T03:00", "today", -1],
      ["row", "11-10T03:00", "11-10T03:30", "yesterday", 1],
      ["row", "11-10T03:00", "11-10T03:30", "today", -1],
    ]);
  });

  test("is read by the row alone where sums by the hour are gone", () => {
    const later = NOW + 400 * 86_400_000;
    expect(shiftsOf(boundary("2026-11-09T22:00:00Z"), undefined, later).map(([unit]) => unit)).toEqual(["row", "row"]);
  });

  test("ends with the range that is asked for, and belongs to nobody without a name", () => {
    const range = { from: new Date("2026-11-09T22:30:00Z"), to: new Date("2026-11-09T23:00:00Z") };
    expect(shiftsOf(boundary("2026-11-09T22:00:00Z", { before: null }), range)).toEqual([
      ["row", "11-09T22:30", "11-09T23:00", "today", 1],
    ]);
    expect(
      shiftsOf(boundary("2026-11-09T22:00:00Z"), { from: utcStartOf("2026-11-11"), to: utcStartOf("2026-11-12") }),
    ).toEqual([]);
  });
});
