import { expect, it } from "vitest";
import { maxIterations } from "./max-iterations.ts";

const signal = new AbortController().signal;
const run = (limit: string | undefined, iteration?: number) =>
  maxIterations.run({
    event: "before_llm_call",
    lane: "default",
    profile: "2026-07",
    input: iteration === undefined ? {} : { iteration },
    env: {},
    args: limit === undefined ? [] : [limit],
    signal,
  });

it("ends the run above the limit, and answers alike however often and in whatever order it is asked", () => {
  for (const iteration of [4, 3, 4, 1, 5]) {
    expect(run("3", iteration)).toEqual(
      iteration > 3
        ? {
            decision: "block",
            reason: "Agent terminated: max_iterations builtin reached its limit of 3 model call(s).",
          }
        : null,
    );
  }
  expect(run("+3", 4)).not.toBeNull();
});

it("never ends a run without a limit that is a whole number above nothing, or without a count", () => {
  for (const limit of [undefined, "", "0", "-1", "abc", "3abc", "3.0", "1e1", " 3", "0x10", "9".repeat(40)])
    expect(run(limit, 1_000)).toBeNull();
  expect(run("1")).toBeNull();
  expect(run("1", 0)).toBeNull();
  expect(run("1", -5)).toBeNull();
});
