import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { instantOfWallMs, offsetMs } from "@/components/ui/format/zone";

const iso = (wall: string, zone: string) => new Date(instantOfWallMs(Date.parse(`${wall}Z`), zone)).toISOString();

test.each([
  ["an ordinary hour", "2026-11-24T09:30", "Europe/Berlin", "2026-11-24T08:30:00.000Z"],
  ["the earlier of two", "2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["an hour that clocks skip", "2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["half an hour off", "2026-11-24T00:00", "Asia/Kolkata", "2026-11-23T18:30:00.000Z"],
])("a time on the wall is an instant: %s", (_name, wall, zone, instant) => {
  expect(iso(wall, zone)).toBe(instant);
});

test("a zone is as far from UTC as it is at that instant", () => {
  expect(offsetMs(Date.parse("2026-07-01T00:00:00.250Z"), "Europe/Berlin")).toBe(2 * 3_600_000);
  expect(offsetMs(Date.parse("2026-12-01T00:00:00Z"), "America/New_York")).toBe(-5 * 3_600_000);
});

/** A browser's storage with one value. */
const storedAs = (text: string | null) => ({ getItem: () => text });
beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["a zone", '"Asia/Kolkata"', "Asia/Kolkata", "05:30"],
  ["no zone of this world", '"Mars/Olympus"', null, null],
  ["no text", "12", null, null],
  ["no JSON", "Asia/Kolkata", null, null],
  ["nothing", null, null, null],
])("clock times are in the zone that was chosen; stored is %s", async (_name, text, zone, clock) => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("localStorage", storedAs(text));
  const { browserZone, viewerFormat, viewerZone } = await import("@/components/ui/format/zone");
  expect(viewerZone()).toBe(zone ?? browserZone());
  const format = viewerFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const own = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const at = Date.parse("2026-11-24T00:00:00Z");
  expect(format.format(at)).toBe(clock ?? own.format(at));
});
