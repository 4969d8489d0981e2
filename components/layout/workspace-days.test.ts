import { expect, test } from "vitest";
import { zonesText } from "@/components/layout/workspace-days";

const zone = (timeZone: string, fromDay: string | null, startsAt: string | null) => ({
  ...{ timeZone, fromDay },
  startsAt: startsAt === null ? null : new Date(startsAt),
});
const ZONES = [
  zone("UTC", null, null),
  zone("Europe/Berlin", "2026-11-10", "2026-11-09T23:00:00Z"),
  zone("Asia/Kolkata", "2026-11-18", "2026-11-17T18:30:00Z"),
];

test.each([
  ["2026-11-01T00:00:00Z", "2026-11-09T23:00:00Z", "UTC"],
  ["2026-11-09T23:00:00Z", "2026-11-12T00:00:00Z", "Europe/Berlin"],
  ["2026-11-09T22:59:00Z", "2026-11-12T00:00:00Z", "UTC until 9 Nov 2026, then Europe/Berlin"],
  [
    "2026-11-01T00:00:00Z",
    "2026-12-01T00:00:00Z",
    "UTC until 9 Nov 2026, then Europe/Berlin until 17 Nov 2026, then Asia/Kolkata",
  ],
])("from %s to %s: %s", (from, to, text) => {
  expect(zonesText(ZONES, { from: new Date(from), to: new Date(to) })).toBe(text);
});
