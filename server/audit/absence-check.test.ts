import { expect, test } from "vitest";
import { type AbsenceState, createAbsenceCheck } from "./absence-check.ts";

const DAY = (day: string) => `${day}T10:00:00.000Z`;

/** Absences of one row each, by the day of their batch. */
function absent(...days: string[]) {
  const absences = createAbsenceCheck();
  for (const [at, day] of days.entries()) absences.add({ seq: at + 1, rows: 1, of: 2 }, DAY(day), DAY(day));
  return absences;
}

test("a removal of demo data excuses rows of the days that it names, and no more of them than it names", () => {
  const absences = absent("2026-11-01", "2026-11-02", "2026-11-02");
  absences.drop({ by: "days", days: { "2026-11-02": 1 } });
  const { groups, beyond, excused } = absences.end();
  expect(excused).toBe(1);
  expect(groups.map(({ day, samples }) => [day, samples])).toEqual([["2026-11-01", [{ seq: 1, rows: 1, of: 2 }]]]);
  expect(beyond).toEqual({ rows: 1, dropped: 1, from: 2 });
});

test("an older removal, which names no day, excuses so many rows from before it and none from after", () => {
  const absences = absent("2026-11-01", "2026-11-02");
  absences.drop({ by: "count", before: DAY("2026-11-03"), count: 1 });
  absences.add({ seq: 9, rows: 1, of: 1 }, DAY("2026-11-02"), DAY("2026-11-02"));
  const { groups, beyond } = absences.end();
  expect(groups.map(({ from }) => from)).toEqual([9]);
  expect(beyond).toMatchObject({ rows: 1, dropped: 1 });
});

test("a removal that names no number excuses nothing", () => {
  const absences = absent("2026-11-01");
  absences.drop({ by: "count", before: DAY("2026-11-03"), count: 0 });
  expect(absences.end().beyond.rows).toBe(1);
});

test("retention excuses rows from before its cut-off, beside a removal of demo data on the same days", () => {
  const absences = absent("2026-11-01", "2026-11-01", "2026-11-04");
  absences.drop({ by: "count", before: DAY("2026-11-05"), count: 1 });
  absences.drop({ by: "cutoff", before: "2026-11-03T00:00:00.000Z", count: 2 });
  expect(absences.end()).toMatchObject({ groups: [], beyond: { rows: 0 }, excused: 3 });
});

test("years of retention stay small, and can be put down and taken up after any entry", () => {
  let saved: AbsenceState | undefined;
  for (let day = 0; day < 1_000; day += 1) {
    const at = new Date(Date.UTC(2024, 0, 1 + day)).toISOString();
    const absences = createAbsenceCheck(saved);
    for (let batch = 0; batch < 50; batch += 1) absences.add({ seq: day * 50 + batch, rows: 3, of: 3 }, at, at);
    saved = absences.save();
  }
  const absences = createAbsenceCheck(saved);
  absences.drop({ by: "cutoff", before: "2030-01-01T00:00:00.000Z", count: 149_999 });
  expect(JSON.stringify(saved).length).toBeLessThan(300_000);
  expect(absences.end()).toMatchObject({ groups: [], beyond: { rows: 1, dropped: 149_999 }, excused: 149_999 });
});
