import { expect, it } from "vitest";
import { compileMatcher } from "./matcher.ts";

function selects(pattern: string, name: string): boolean | string {
  const matcher = compileMatcher(pattern);
  return matcher.ok ? matcher.matches(name) : matcher.message;
}

it("selects whole names only, and minds their case", () => {
  expect(selects("shell|edit_file", "edit_file")).toBe(true);
  expect(selects("shell|edit_file", "edit_file_x")).toBe(false);
  expect(selects("shell", "my_shell")).toBe(false);
  expect(selects("Shell", "shell")).toBe(false);
  expect(selects(" shell ", "shell")).toBe(false);
});

it("selects everything with nothing, an empty text or a star", () => {
  for (const pattern of ["", "*"]) expect(selects(pattern, "")).toBe(true);
  expect(selects("shell", "")).toBe(false);
});

it("stays linear on a pattern that makes backtracking engines stand still", () => {
  const beganMs = performance.now();
  expect(selects("(a+)+", `${"a".repeat(5_000)}!`)).toBe(false);
  expect(performance.now() - beganMs).toBeLessThan(5_000);
});

it("says why a pattern does not compile", () => {
  expect(selects("[", "x")).toMatch(/missing closing \]/);
  expect(selects("(?!edit).*", "x")).toMatch(/error parsing regexp/);
});

it("takes a group name that occurs twice, wherever else the same letters stand", () => {
  expect(selects("(?P<a>x)(?P<a>y)", "xy")).toBe(true);
  expect(selects(String.raw`(?P<a>x)(?P<a>y)\Q(?P<a>\E[(?P<a>]`, "xy(?P<a>P")).toBe(true);
});
