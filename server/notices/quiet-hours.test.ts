import { describe, expect, it } from "vitest";
import { isQuiet, quietEnd } from "./quiet-hours.ts";
import { quietHours } from "./schema.ts";

const night = quietHours.parse({ from: "22:00", to: "07:00", timeZone: "Europe/Berlin" });

describe("quiet hours", () => {
  it.each([
    ["2026-11-26T20:59:00Z", false],
    ["2026-11-26T21:00:00Z", true],
    ["2026-11-26T23:30:00Z", true],
    ["2026-11-27T05:59:59Z", true],
    ["2026-11-27T06:00:00Z", false],
    // In summer the same wall clock is an hour earlier.
    ["2026-07-01T20:00:00Z", true],
    ["2026-07-01T05:00:00Z", false],
  ])("over midnight, %s: %s", (at, expected) => {
    expect(isQuiet(night, new Date(at))).toBe(expected);
  });

  it("within a day end before their last minute", () => {
    const noon = quietHours.parse({ from: "12:00", to: "13:00", timeZone: "UTC" });
    const quietAt = ["11:59", "12:00", "12:59", "13:00"].map((time) =>
      isQuiet(noon, new Date(`2026-11-26T${time}:00Z`)),
    );
    expect(quietAt).toEqual([false, true, true, false]);
    expect(isQuiet(null, new Date())).toBe(false);
  });

  it.each([
    ["a usual night", "2026-11-26T22:10:30Z", "2026-11-27T06:00:00Z"],
    ["after midnight", "2026-11-27T03:00:00Z", "2026-11-27T06:00:00Z"],
    ["the night that is an hour shorter", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"],
    ["the night that is an hour longer", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"],
  ])("end by the wall clock after %s", (_night, at, end) => {
    expect(quietEnd(night, new Date(at)).toISOString()).toBe(new Date(end).toISOString());
  });

  it("end at the first minute there is where their end is skipped", () => {
    const short = quietHours.parse({ from: "01:00", to: "02:30", timeZone: "Europe/Berlin" });
    expect(quietEnd(short, new Date("2026-03-29T00:15:00Z")).toISOString()).toBe("2026-03-29T01:00:00.000Z");
  });

  it("take times of day that differ, and a zone of the list", () => {
    expect(quietHours.safeParse({ ...night, to: "22:00" }).success).toBe(false);
    expect(quietHours.safeParse({ ...night, from: "24:00" }).success).toBe(false);
    expect(quietHours.safeParse({ ...night, timeZone: "Mars/Olympus" }).success).toBe(false);
  });
});
