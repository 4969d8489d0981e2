import { describe, expect, it } from "vitest";
import { YAML_LIMITS, yamlShapeProblem } from "./yaml-shape.ts";

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

describe("the shape of a text is refused before it is parsed", () => {
  it.each<[string, string, RegExp]>([
    ["40,000 keys in braces", `hooks: {${lines(40_000, (at) => `k${at}: 1,`)}}`, /5,000 keys/],
    ["40,000 keys on lines", `hooks:\n${lines(40_000, (at) => `  k${at}: 1\n`)}`, /5,000 keys/],
    ["5,001 keys right below a list", `a:\n- b: 1\n  c: 2\n${lines(5_001, (at) => `k${at}: 1\n`)}`, /5,000 keys/],
    ["100,000 empty items", `hooks:\n  stop:\n${"    -\n".repeat(100_000)}`, /20,000 items/],
    ["100,000 empty lists", `hooks: [${"[],".repeat(100_000)}]`, /20,000 items/],
    ["200,000 brackets", `hooks: ${"[".repeat(200_000)}`, /deeper than 64/],
    ["brackets after a quoted text with brackets", `a: "[["\nb: '{'\nc: ${"{".repeat(65)}`, /deeper than 64/],
    ["dashes on one line", `hooks:\n  ${"- ".repeat(65)}x`, /deeper than 64/],
    ["keys that ask", "? ".repeat(65), /deeper than 64/],
    ["keys on one line", "a: ".repeat(66), /deeper than 64/],
    ["a staircase", lines(66, (at) => `${" ".repeat(at)}a:\n`), /deeper than 64/],
    ["aliases", `a: &a x\nb: [${"*a, ".repeat(300)}]`, /200 anchors and aliases/],
    ["closing brackets alone", "}".repeat(100_000), /60,000 keys/],
    ["directives", "%YAML 1.2\n".repeat(61_000), /60,000/],
    ["comments", "#\n".repeat(61_000), /60,000/],
    ["empty lines", "\n".repeat(61_000), /60,000 lines/],
  ])("%s", (_what, text, says) => {
    expect(yamlShapeProblem(text)?.says).toMatch(says);
  });
});

describe("what people write passes", () => {
  it.each<[string, string]>([
    ["a script full of brackets and dashes", `a:\n  - command: |\n${"      [[[ - - - {{{ : : :\n".repeat(5_000)}`],
    ["quotes full of brackets", `a: "${"[{".repeat(10_000)}"\nb: '${"[{".repeat(10_000)}'`],
    ["64 levels", lines(YAML_LIMITS.depth, (at) => `${" ".repeat(at)}a:\n`)],
    ["5,000 keys and many lists of the same depth", `${lines(5_000, (at) => `k${at}:\n- a: 1\n- b: 2\n`)}`],
    ["nothing", ""],
  ])("%s", (_what, text) => {
    expect(yamlShapeProblem(text)).toBeNull();
  });
});
