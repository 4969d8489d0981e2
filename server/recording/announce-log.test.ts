import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogAnnouncer } from "./announce-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first announcement leaves at once, and those of the next 100 ms leave together", () => {
  const told: string[] = [];
  const announce = createLogAnnouncer({ tell: (workspaceId) => void told.push(workspaceId) });
  announce(["a"]);
  expect(told).toEqual(["a"]);
  for (const one of [["a"], ["b"], ["a"], []]) announce(one);
  vi.advanceTimersByTime(99);
  expect(told).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["a", "a", "b"]);
  vi.advanceTimersByTime(100);
  announce(["c"]);
  expect(told).toEqual(["a", "a", "b", "c"]);
});
