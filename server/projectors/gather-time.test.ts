import { describe, expect, test } from "vitest";
import { pauseAfter } from "./gather-time.ts";

describe("the pause after a look", () => {
  test("is short while little is recorded", () => {
    expect(pauseAfter({ records: 0, sinceMs: 100, tookMs: 2 })).toBe(23);
    expect(pauseAfter({ records: 1, sinceMs: 100, tookMs: 2 })).toBe(23);
  });

  test("grows with the records a second, up to a quarter of a second", () => {
    expect(pauseAfter({ records: 20, sinceMs: 100, tookMs: 0 })).toBe(200);
    expect(pauseAfter({ records: 40, sinceMs: 200, tookMs: 0 })).toBe(200);
    expect(pauseAfter({ records: 2_000, sinceMs: 100, tookMs: 0 })).toBe(250);
  });

  test("settles: with the pause that follows from a rate, the next look finds that rate", () => {
    let sinceMs = 25;
    for (let look = 0; look < 10; look += 1) {
      const tookMs = 10;
      sinceMs = tookMs + pauseAfter({ records: (150 * sinceMs) / 1_000, sinceMs, tookMs });
    }
    expect(sinceMs).toBe(150);
  });

  test("is as long as a slow look took, up to a tenth of a second", () => {
    expect(pauseAfter({ records: 1, sinceMs: 1_000, tookMs: 80 })).toBe(80);
    expect(pauseAfter({ records: 1, sinceMs: 1_000, tookMs: 900 })).toBe(100);
  });
});
