import { afterEach, expect, it, vi } from "vitest";
import { addDate } from "./add-date.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("says which day it is on this machine, also without an input", () => {
  vi.useFakeTimers({ now: new Date(2026, 0, 5, 0, 30) });
  const signal = new AbortController().signal;
  const output = addDate.run({
    event: "session_start",
    lane: "default",
    profile: "2026-07",
    input: {},
    env: {},
    args: ["x"],
    signal,
  });
  expect(output).toEqual({
    hook_specific_output: { hook_event_name: "turn_start", additional_context: "Today's date: 2026-01-05" },
  });
});
