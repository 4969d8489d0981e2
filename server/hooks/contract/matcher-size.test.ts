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
    ["(?:ab){0,100}", 700],
    ["(?i)(?P<name>ab)", 3],
    ["\\pL{3}", 300],
    ["\\p{Greek}", 100],
    ["[a-z\\pL]", 108],
    ["\\{5\\}", 3],
    ["[{5}]", 5],
    ["a{,5}", 5],
    ["a?", 5],
    ["(|a)", 7],
    [".*ab", 16],
    [".*a|b", 14],
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

  it.each([
    "(|a){1000}",
    "(|a){200}",
    "(a?){300}",
    "(a?){150}a{150}",
    ".{0,1000}",
    ".*a.{400}",
    `.*${"a".repeat(400)}`,
    `(.*)(${"a".repeat(400)})`,
    `(${Array.from({ length: 28 }, (_, at) => "a".repeat(at + 1)).join("|")})*`,
  ])("one that has to be followed in many ways at once: %s", (pattern) => {
    expect(complaints([pattern])).toEqual([expect.stringMatching(/^invalid matcher: the pattern stands for/)]);
  });

  it.each([
    "mcp__[^_]+__(create|update|delete)_.*|mcp__[^_]+__(read|list)_.*",
    "[a-z0-9_-]{1,64}",
    ".*(?:delete|remove|drop|truncate).*",
    Array.from({ length: 60 }, (_, at) => `tool_${at}`).join("|"),
    Array.from({ length: 24 }, (_, at) => `mcp__server${at}__.*`).join("|"),
  ])("what people write is taken: %s", (pattern) => expect(complaints([pattern])).toEqual([]));

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
