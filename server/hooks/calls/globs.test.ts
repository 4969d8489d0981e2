import { expect, it, test } from "vitest";
import { globMatches, nameMatches } from "./globs.ts";

test.each([
  ["*", "a/b", true],
  ["*", "", true],
  ["mcp__*__create", "mcp__git/hub__create", true],
  ["*:main", "feature/x:main", true],
  ["release*", "release/2.1", true],
  ["feature/*/done", "feature/a/b/done", true],
  ["Write?File", "write_file", true],
  ["a*", "a\nb", true],
  ["[*]", "*", true],
  ["[!a]*", "abc", false],
  ["a*c*e", "abcde", true],
  ["a*c*e", "abcd", false],
  ["[", "[", true],
  ["a", "A", true],
  ["a.c", "abc", false],
])("the name pattern %s takes %j: %s", (pattern, name, isTaken) => {
  expect(nameMatches(pattern, name)).toBe(isTaken);
});

test.each([
  ["**/*.tf", `${"a/".repeat(1_000)}main.tf`, true],
  ["**/*.tf", `${"a/".repeat(1_000)}main.tx`, false],
  ["/srv/**", `/srv/${"a".repeat(300)}`, true],
  ["/srv/*", `/srv/${"a/".repeat(300)}`, false],
])("the pattern %s takes a long path: %#", (pattern, path, isTaken) => {
  expect(globMatches(pattern, path)).toBe(isTaken);
});

it("takes no longer for a text that is made to be tried again and again", () => {
  const started = performance.now();
  expect(nameMatches(`${"*a".repeat(50)}b`, "a".repeat(20_000))).toBe(false);
  expect(globMatches(`${"*a".repeat(50)}b`, "a".repeat(4_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});
