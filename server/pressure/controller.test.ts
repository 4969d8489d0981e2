import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPressureController, INTERVAL_MS, LEVEL_MAX, NO_DELAY_MS } from "./controller.ts";

const STEP_MS = 25;

/** A controller with its own clock; each run gives the levels of its samples. */
function controlled() {
  const sample = createPressureController();
  let nowMs = 0;
  return {
    run: (forMs: number, delayMs: number | ((atMs: number) => number)): number[] =>
      Array.from({ length: forMs / STEP_MS }, () => {
        nowMs += STEP_MS;
        return sample(nowMs, typeof delayMs === "number" ? delayMs : delayMs(nowMs));
      }),
    jump(byMs: number) {
      nowMs += byMs;
    },
  };
}
const last = (levels: readonly number[]) => levels.at(-1);

describe("a delay of gates", () => {
  test("below the target is no pressure, however long it lasts", () => {
    expect(Math.max(...controlled().run(60_000, NO_DELAY_MS - 1))).toBe(0);
  });

  test("that passes within half an interval is a burst, however long each call waited", () => {
    const bursts = controlled().run(60_000, (atMs) => (atMs % 1_000 < 200 ? 5_000 : 0));
    expect(Math.max(...bursts)).toBe(0);
  });

  test("that stands raises the level by one step per interval", () => {
    const { run } = controlled();
    const levels = [1, 2, 3, 4, 5, 6].map(() => last(run(INTERVAL_MS, 1_000)));
    // The first sample begins the first interval.
    expect(levels).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("raises the level only as far as its length justifies", () => {
    const reached = [60, 80, 120, 200, 400].map((delayMs) => last(controlled().run(10_000, delayMs)));
    expect(reached).toEqual([1, 2, 3, 4, 5]);
  });

  test("that becomes shorter lowers the level to what is left of it", () => {
    const { run } = controlled();
    expect(last(run(5_000, 400))).toBe(5);
    expect(last(run(5_000, 80))).toBe(2);
  });

  test("that is gone leaves nothing after two seconds", () => {
    const { run } = controlled();
    run(5_000, 400);
    expect(last(run(1_500, 0))).toBe(0);
  });

  test("that returns soon goes on near the level that it had, and later begins anew", () => {
    const { run, jump } = controlled();
    run(5_000, 400);
    run(4_000, 0);
    expect(last(run(2 * INTERVAL_MS, 400))).toBe(4);
    run(4_000, 0);
    jump(60_000);
    run(STEP_MS, 0);
    expect(last(run(INTERVAL_MS, 400))).toBe(1);
  });
});

test("a clock that jumps ahead counts as one interval, and one that goes back as none", () => {
  const ahead = controlled();
  ahead.run(1_000, 0);
  ahead.jump(3_600_000);
  expect(last(ahead.run(STEP_MS, 3_600_000))).toBe(1);
  expect(last(ahead.run(500, 0))).toBe(0);
  const back = controlled();
  back.run(5_000, 400);
  back.jump(-3_600_000);
  expect(last(back.run(1_525, 0))).toBe(0);
});

test("for any delays and any clock the level is a whole number within its bounds, and clear time ends it", () => {
  const sample = fc.tuple(
    fc.integer({ min: -5_000, max: 5_000 }),
    fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
  );
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 300 }), (samples) => {
      const take = createPressureController();
      let nowMs = 0;
      let before = 0;
      for (const [passedMs, delayMs] of samples) {
        nowMs += passedMs;
        const level = take(nowMs, delayMs);
        expect(Number.isInteger(level) && level >= 0 && level <= LEVEL_MAX).toBe(true);
        // One step, except that a delay which returns continues where it was.
        if (before > 0) expect(level - before).toBeLessThanOrEqual(1);
        before = level;
      }
      for (let passed = 0; passed < 2_000; passed += STEP_MS) {
        nowMs += STEP_MS;
        before = take(nowMs, 0);
      }
      expect(before).toBe(0);
    }),
  );
});
