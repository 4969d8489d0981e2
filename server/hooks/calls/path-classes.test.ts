import { expect, test } from "vitest";
import { globMatches } from "./globs.ts";
import { absolutePath, classesOf } from "./path-classes.ts";

const PLACE = { workingDirectory: "/home/ada/project" };
const of = (path: string): string[] => [...classesOf(path, PLACE)].sort();

test.each([
  ["src/a.ts", ["project"]],
  ["/home/ada/project/src/a.ts", ["project"]],
  ["src/../../other/a.ts", ["home", "outside"]],
  ["~/notes", ["home", "outside"]],
  ["/etc/hosts", ["outside", "system"]],
  ["/tmp/a", ["outside", "temporary"]],
  ["/dev/sda", ["device", "outside", "system"]],
  ["/dev/null", ["outside", "system"]],
  [".env", ["credentials", "project"]],
  ["config/.env.local", ["credentials", "project"]],
  [".env.example", ["project"]],
  ["~/.ssh/id_ed25519", ["credentials", "home", "outside"]],
  ["~/.ssh/id_ed25519.pub", ["home", "outside"]],
  [".e*", ["credentials", "project"]],
  [".git/hooks/pre-commit", ["project", "version_control"]],
  [".github/workflows/a.yml", ["project"]],
  ["node_modules/a/b.js", ["dependencies", "project"]],
  ["dist/a.js", ["build_output", "project"]],
  [".", ["everything", "project"]],
  ["*", ["everything", "project"]],
  ["..", ["everything", "home", "outside"]],
  ["../*", ["everything", "home", "outside"]],
  ["../other", ["home", "outside"]],
  ["/", ["everything", "outside"]],
  ["/*", ["everything", "outside"]],
  ["~", ["everything", "home", "outside"]],
  ["~/*", ["everything", "home", "outside"]],
  ["/home/ada", ["everything", "home", "outside"]],
  ["/usr", ["everything", "outside", "system"]],
  ["/usr/share/doc/x", ["outside", "system"]],
])("%s is %j", (path, classes) => {
  expect(of(path)).toEqual(classes);
});

test("paths of Windows", () => {
  const place = { workingDirectory: "C:\\work" };
  expect([...classesOf("C:\\work\\.env", place)].sort()).toEqual(["credentials", "project"]);
  expect([...classesOf(".git\\config", place)].sort()).toEqual(["project", "version_control"]);
  expect([...classesOf("C:\\Windows\\System32", place)].sort()).toEqual(["outside", "system"]);
  expect([...classesOf("C:\\", place)].sort()).toEqual(["everything", "outside"]);
});

test.each([
  ["**/*.tf", "/w/a/b.tf", true],
  ["*.tf", "a.tf", true],
  ["*.tf", "a/b.tf", false],
  ["src/**", "src/a/b", true],
  ["[!a]*", "b", true],
  ["[!a]*", "a", false],
  ["a(b)+", "a(b)+", true],
  ["[", "[", true],
])("%s takes %s: %s", (pattern, path, isTaken) => {
  expect(globMatches(pattern, path)).toBe(isTaken);
});

test("a path without a known project stays relative", () => {
  expect(absolutePath("a/../b", { workingDirectory: null })).toBe("b");
});
