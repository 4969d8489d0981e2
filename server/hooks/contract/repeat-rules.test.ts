import { describe, expect, it } from "vitest";
import { parseRepeatRules } from "./repeat-rules.ts";

describe("the rules of repeat_guard", () => {
  it("are read in the words that people write", () => {
    expect(
      parseRepeatRules([
        "same call 5 in 10m: ask",
        " failures 4 in 90s: deny ",
        "spend 2.50 in 1h: halt",
        "spend 0.000000001 in 1m: halt agent",
        "new tool: alarm",
      ]),
    ).toEqual([
      { kind: "same call", count: 5, seconds: 600, action: "ask" },
      { kind: "failures", count: 4, seconds: 90, action: "deny" },
      { kind: "spend", nano: 2_500_000_000n, seconds: 3_600, action: "halt" },
      { kind: "spend", nano: 1n, seconds: 60, action: "halt agent" },
      { kind: "new tool", action: "alarm" },
    ]);
  });

  it.each([
    [[], "repeat_guard has no rule"],
    [["same call"], 'repeat_guard does not understand "same call"'],
    [["same call 5: ask"], "does not understand"],
    [["same call 5 in 10m:ask"], "does not understand"],
    [["same call 5 in 10d: ask"], "does not understand"],
    [["same call -5 in 10m: ask"], "does not understand"],
    [["constructor 5 in 10m: ask"], "does not understand"],
    [["same call 1 in 10m: ask"], "the number is at least 2"],
    [["same call 101 in 10m: ask"], "the number is at most 100"],
    [["same call 2.5 in 10m: ask"], "the number is whole"],
    [["failures 0 in 10m: ask"], "the number is at least 1"],
    [["same call 5 in 0s: ask"], "the time is at least 1s"],
    [["same call 5 in 2h: ask"], "the time is at most 1h"],
    [["same call 5 in 10m: allow"], "after the colon stands ask, deny, halt or halt agent"],
    [["new tool: halt"], "after the colon stands alarm, ask or deny"],
    [["spend 0 in 5m: halt"], "the amount is more than nothing"],
    [["spend 1000001 in 5m: halt"], "the amount is at most 1000000 dollars"],
    [["spend 1 in 30s: halt"], "costs are summed by the minute"],
    [Array.from({ length: 9 }, () => "new tool: ask"), "at most 8 rules"],
    [["x".repeat(100_000)], "does not understand"],
  ])("are refused with words about what is wrong: %j", (args, problem) => {
    const read = parseRepeatRules(args);
    expect(read).toEqual(expect.stringContaining(problem));
    expect(String(read).length).toBeLessThan(300);
  });
});
