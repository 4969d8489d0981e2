import { expect, it } from "vitest";
import { growCredit } from "./credit.ts";

it("grows by the percentage of the time that has passed", () => {
  expect(growCredit({ us: 0, atMs: 1_000 }, 10, 3_000)).toEqual({ us: 200_000, atMs: 3_000 });
  expect(growCredit({ us: -500_000, atMs: 0 }, 50, 500)).toEqual({ us: -250_000, atMs: 500 });
});

it("keeps the credit of ten seconds, and adds nothing when the clock was set back", () => {
  expect(growCredit({ us: 0, atMs: 0 }, 10, 3_600_000).us).toBe(1_000_000);
  expect(growCredit({ us: 7, atMs: 5_000 }, 10, 4_000)).toEqual({ us: 7, atMs: 4_000 });
});

it("never gives more than its percentage and the kept ten seconds", () => {
  const percent = 20;
  let credit = { us: 0, atMs: 0 };
  let spentUs = 0;
  for (let second = 1; second <= 600; second += 1) {
    credit = growCredit(credit, percent, second * 1_000);
    while (credit.us > 0) {
      credit = { ...credit, us: credit.us - 35_000 };
      spentUs += 35_000;
    }
  }
  // One chunk may take longer than what was left.
  expect(spentUs).toBeLessThanOrEqual((600 + 10) * 1_000_000 * (percent / 100) + 35_000);
  expect(spentUs).toBeGreaterThanOrEqual(600 * 1_000_000 * (percent / 100) - 35_000);
});
