import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogAnnouncer } from "./announce-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first announcement leaves at once, and those of the next 100 ms leave together", () => {
  const sent: string[] = [];
  const announce = createLogAnnouncer({ tell: (workspaceId) => void sent.push(workspaceId) });
  announce(["a"]);
  expect(sent).toEqual(["a"]);
  for (const one of [["a"], ["b"], ["a"], []]) announce(one);
  vi.advanceTimersByTime(99);
  expect(sent).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(["a", "a", "b"]);
  vi.advanceTimersByTime(100);
  announce(["c"]);
  expect(sent).toEqual(["a", "a", "b", "c"]);
});
