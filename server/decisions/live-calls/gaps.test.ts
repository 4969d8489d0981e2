import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createGaps, type Pace } from "./gaps.ts";
import { READ_AGAIN_MS } from "./schema.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function sent() {
  const news: (Pace | null)[] = [];
  const gaps = createGaps((one) => news.push(one));
  return { gaps, take: () => news.splice(0) };
}

it("sends the first gap at once, and the others as one every five seconds, for which it is slowed", () => {
  const { gaps, take } = sent();
  gaps.add();
  expect(take()).toEqual([null]);
  for (let round = 0; round < 3; round += 1) {
    for (let at = 0; at < 49; at += 1) {
      vi.advanceTimersByTime(READ_AGAIN_MS / 50);
      gaps.add();
    }
    expect(take()).toEqual(round === 0 ? [{ isSlowed: true }] : []);
    expect(gaps.isSlowed()).toBe(true);
    vi.advanceTimersByTime(READ_AGAIN_MS / 50);
    expect(take()).toEqual([null]);
  }
  vi.advanceTimersByTime(READ_AGAIN_MS);
  expect(take()).toEqual([{ isSlowed: false }]);
  vi.advanceTimersByTime(READ_AGAIN_MS);
  gaps.add();
  expect(take()).toEqual([null]);
});

it("is not slowed by gaps that are far from each other", () => {
  const { gaps, take } = sent();
  for (let round = 0; round < 3; round += 1) {
    gaps.add();
    vi.advanceTimersByTime(READ_AGAIN_MS);
  }
  expect(take()).toEqual([null, null, null]);
});

it("sends nothing after its end", () => {
  const { gaps, take } = sent();
  gaps.add();
  gaps.add();
  gaps.close();
  take();
  vi.advanceTimersByTime(2 * READ_AGAIN_MS);
  expect(take()).toEqual([]);
});
