import { expect, test } from "vitest";
import { codexMatcher, nameOrPattern, patternAnywhere, wholeName } from "./matchers.ts";

test.each([undefined, "", "*"])("%j is for every tool", (matcher) => {
  for (const matches of [nameOrPattern, codexMatcher, patternAnywhere, wholeName])
    expect(matches(matcher, "Bash")).toBe(true);
});

test("plain names are exact, lists name several, and other signs make a pattern", () => {
  expect(["Bas", "Bash", "Edit|Bash", "B.sh"].map((one) => nameOrPattern(one, "Bash"))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(codexMatcher("Edit|Write", "apply_patch")).toBe(true);
  expect(codexMatcher("Read", "apply_patch")).toBe(false);
  expect(patternAnywhere("run_shell", "run_shell_command")).toBe(true);
  expect(["shell", "she"].map((one) => wholeName(one, "shell"))).toEqual([true, false]);
});

test("a pattern that does not compile matches nothing, and one that would take for ever ends", () => {
  expect(nameOrPattern("(", "Bash")).toBe(false);
  expect(nameOrPattern("(a+)+$", `${"a".repeat(40)}!`)).toBe(false);
});
