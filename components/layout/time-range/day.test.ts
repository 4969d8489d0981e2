import { expect, test } from "vitest";
import { dayRange, zoneText } from "@/components/layout/time-range/day";

const HOUR_MS = 3_600_000;
const hours = (at: string, zone: string, back = 0) => {
  const { from, to } = dayRange(Date.parse(at), zone, back);
  return [from.toISOString(), to.toISOString(), (to.getTime() - from.getTime()) / HOUR_MS];
};

test.each([
  ["an ordinary day", "2026-11-24T12:00:00Z", "UTC", "2026-11-24T00:00:00.000Z", "2026-11-25T00:00:00.000Z", 24],
  [
    "clocks forward",
    "2026-03-29T12:00:00Z",
    "Europe/Berlin",
    "2026-03-28T23:00:00.000Z",
    "2026-03-29T22:00:00.000Z",
    23,
  ],
  ["clocks back", "2026-10-25T12:00:00Z", "Europe/Berlin", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z", 25],
  [
    "west of UTC",
    "2026-11-01T12:00:00Z",
    "America/New_York",
    "2026-11-01T04:00:00.000Z",
    "2026-11-02T05:00:00.000Z",
    25,
  ],
  ["half an hour", "2026-11-24T19:00:00Z", "Asia/Kolkata", "2026-11-24T18:30:00.000Z", "2026-11-25T18:30:00.000Z", 24],
  [
    "no midnight",
    "2024-09-08T12:00:00Z",
    "America/Santiago",
    "2024-09-08T04:00:00.000Z",
    "2024-09-09T03:00:00.000Z",
    23,
  ],
])("the day of an instant, %s", (_name, at, zone, from, to, length) => {
  expect(hours(at, zone)).toEqual([from, to, length]);
});

test("yesterday ends where today begins, on days of any length", () => {
  for (const at of ["2026-03-30T00:30:00Z", "2026-10-26T00:30:00Z", "2026-01-01T00:00:00Z"])
    expect(dayRange(Date.parse(at), "Europe/Berlin", 1).to).toEqual(dayRange(Date.parse(at), "Europe/Berlin").from);
});

test("a zone is named with what it is ahead of UTC", () => {
  const at = Date.parse("2026-11-24T12:00:00Z");
  expect(zoneText(at, "UTC")).toBe("UTC");
  expect(zoneText(at, "Europe/Berlin")).toBe("Europe/Berlin, UTC+1");
  expect(zoneText(at, "Asia/Kolkata")).toBe("Asia/Kolkata, UTC+5:30");
  expect(zoneText(at, "America/New_York")).toBe("America/New_York, UTC−5");
});
