import { describe, expect, it } from "vitest";
import { MATCHER_STEPS_MAX, matcherSteps } from "./matcher-size.ts";
import { parseHooks } from "./parse.ts";
import { publishProblems } from "./placement.ts";

const command = { type: "command", command: "x" };
const policy = (matchers: readonly string[]) => ({
  pre_tool_use: matchers.map((matcher) => ({ matcher, hooks: [command] })),
});
const complaints = (matchers: readonly string[]) => {
  const parsed = parseHooks(policy(matchers), "2026-08");
  return (parsed.ok ? publishProblems(parsed.hooks, { builtins: [], models: true }) : parsed.problems).map(
    ({ message }) => message,
  );
};

describe("the steps of a matcher", () => {
  it.each([
    ["shell|edit_file", 15],
    ["a{10}", 10],
    ["((a{10}){10}){10}", 1_110],
    ["(?:ab){0,100}", 500],
    ["\\pL{3}", 300],
    ["\\p{Greek}", 100],
    ["[a-z\\pL]", 108],
    ["\\{5\\}", 3],
    ["[{5}]", 5],
    ["a{,5}", 4],
  ])("%s", (pattern, steps) => expect(matcherSteps(pattern)).toBe(steps));

  it("never fails, whatever is written", () => {
    for (const pattern of ["", ")", "(((", "[", "[]", "\\", "{3}", "a{99999999999}", "\\p{", "[[:alpha:"])
      expect(matcherSteps(pattern)).toBeGreaterThanOrEqual(0);
  });
});

describe("matchers that would take long to compile are refused before they are", () => {
  it("one that repeats what is large", () => {
    expect(complaints([`(${"\\pL".repeat(110)}){1000}`])).toEqual([
      expect.stringMatching(/^invalid matcher: the pattern stands for [\d,]+ steps, and at most 1,000 are taken/),
    ]);
  });

  it("many that are just small enough by themselves", () => {
    const many = Array.from({ length: 300 }, (_, at) => `${"(a|b)".repeat(60)}${at}x{500}`);
    for (const pattern of many) expect(matcherSteps(pattern)).toBeLessThanOrEqual(MATCHER_STEPS_MAX.one);
    expect(complaints(many)).toEqual([
      "the matchers of this policy together are too large to compile: split the policy",
    ]);
  });

  it("the same one many times is one", () => {
    expect(complaints(Array.from({ length: 300 }, () => `${"(a|b)".repeat(60)}x{500}`))).toEqual([]);
  });
});
