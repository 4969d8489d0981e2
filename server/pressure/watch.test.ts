import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type PressureWatch, watchDelays } from "./watch.ts";

let gateWaitMs = 0;
let startingMs = 0;
let sent: { level: number; sequence: number }[] = [];
let watch: PressureWatch;
beforeEach(() => {
  vi.useFakeTimers();
  [startingMs, gateWaitMs, sent] = [0, 0, []];
  watch = watchDelays({
    pressure: { send: (signal) => void sent.push(signal) },
    delays: () => ({ startingMs, gateWaitMs, commitMs: 40 }),
  });
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

test("gates that do not wait send no signal", () => {
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([]);
  expect(watch.expectedMs).toBe(0);
});

test("a commit that does not end raises the level, and the signal is repeated while it lasts", () => {
  gateWaitMs = 800;
  vi.advanceTimersByTime(4_000);
  const levels = sent.map(({ level }) => level);
  expect([...new Set(levels)]).toEqual([1, 2, 3, 4, 5]);
  expect(levels.length).toBeGreaterThan(10);
  expect(sent.map(({ sequence }) => sequence)).toEqual(levels.map((_, index) => index + 1));
  // It waits as long as the oldest gate and for its own commit.
  expect(watch.expectedMs).toBe(840);
});

test("gates whose hooks do not run yet raise the level as well, and both delays are expected", () => {
  startingMs = 300;
  vi.advanceTimersByTime(4_000);
  expect(sent.at(-1)?.level).toBe(5);
  expect(watch.expectedMs).toBe(300);
  gateWaitMs = 100;
  vi.advanceTimersByTime(100);
  expect(watch.expectedMs).toBe(440);
});

test("two seconds after the delay is gone the level is 0, and that is sent once", () => {
  gateWaitMs = 800;
  vi.advanceTimersByTime(4_000);
  gateWaitMs = 0;
  vi.advanceTimersByTime(2_000);
  expect(sent.at(-1)?.level).toBe(0);
  const { length } = sent;
  vi.advanceTimersByTime(10_000);
  expect(sent.length).toBe(length);
});
