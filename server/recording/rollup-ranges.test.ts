import { describe, expect, test } from "vitest";
import { hourChartBucketsOf, hourRollupRangeOf } from "./hour-rollup-ranges.ts";
import { chartBucketsOf, HOURS_KEPT_DAYS, MINUTES_KEPT_DAYS, rollupRangeOf } from "./rollup-ranges.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const DAY = 86_400_000;
const range = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const isos = (parts: object) => Object.values(parts).map((at) => (at as Date).toISOString().slice(0, 16));

describe("a range asks for no rollup that is kept no more", () => {
  test("is exact to the minute in the last weeks", () => {
    const { from, to } = rollupRangeOf(range("2026-11-02T09:17:30Z", "2026-11-18T21:01:30Z"), NOW);
    expect(isos({ from, to })).toEqual(["2026-11-02T09:17", "2026-11-18T21:02"]);
  });

  test("begins with a whole hour where minutes are gone, and ends exactly where they are not", () => {
    const stretch = rollupRangeOf(range("2026-09-02T09:17:30Z", "2026-11-18T21:01:30Z"), NOW);
    expect(isos(stretch)).toEqual([
      ...["2026-09-02T09:00", "2026-09-02T09:00", "2026-09-03T00:00"],
      ...["2026-11-18T00:00", "2026-11-18T21:00", "2026-11-18T21:02"],
    ]);
    expect(chartBucketsOf(range("2026-09-02T09:17:30Z", "2026-09-02T09:20:00Z"), NOW).table).toBe("rollup_hour");
  });

  test("is one of whole days where hours are gone", () => {
    const old = range("2025-02-02T09:17:30Z", "2025-02-02T09:20:00Z");
    expect(isos(rollupRangeOf(old, NOW))).toEqual([
      ...["2025-02-02T00:00", "2025-02-02T00:00", "2025-02-02T00:00"],
      ...["2025-02-03T00:00", "2025-02-03T00:00", "2025-02-03T00:00"],
    ]);
    expect(isos(hourRollupRangeOf(old, NOW))).toEqual([
      ...["2025-02-02T00:00", "2025-02-02T00:00", "2025-02-03T00:00", "2025-02-03T00:00"],
    ]);
    expect([chartBucketsOf(old, NOW).table, hourChartBucketsOf(old, NOW).unit]).toEqual(["rollup_day", "day"]);
  });

  test("of any instants holds what was asked, and reads minutes and hours only where they are kept", () => {
    for (let back = 0; back < 500 * DAY; back += 7.3 * DAY)
      for (let span = 61_000; span < 600 * DAY; span *= 7) {
        const asked = { from: new Date(NOW - back - span), to: new Date(NOW - back) };
        const { from, hourFrom, dayFrom, dayTo, hourTo, to } = rollupRangeOf(asked, NOW);
        expect(from <= asked.from && to >= asked.to).toBe(true);
        const finer = (one: Date, other: Date, days: number) => one >= other || one.getTime() >= NOW - days * DAY;
        const kept = [
          finer(from, hourFrom, MINUTES_KEPT_DAYS) && finer(hourTo, to, MINUTES_KEPT_DAYS),
          finer(hourFrom, dayFrom, HOURS_KEPT_DAYS) && finer(dayTo, hourTo, HOURS_KEPT_DAYS),
        ];
        expect([asked, kept]).toEqual([asked, [true, true]]);
      }
  });
});
