import { expect, it } from "vitest";
import { plainLine, plainLines } from "./plain-line.ts";

it.each<[name: string, text: string, plain: string]>([
  ["a window title", "a\u001b]0;x\u0007b", "a ]0;x b"],
  ["a cleared screen", "\u001b[2Ja", "[2Ja"],
  ["an 8-bit control", "a\u009b2Jb", "a 2Jb"],
  ["a carriage return", "denied\rallowed", "denied allowed"],
  ["lines", "a\r\nb\u2028c\u2029d", "a b c d"],
  ["a backspace", "a\bb", "a b"],
  ["an override of direction", "a\u202egnp.exe", "a gnp.exe"],
  ["an isolate", "a\u2066b\u2069", "a b"],
  ["a direction mark", "a\u200eb\u061c", "a b"],
  ["zero width", "a\u200b\ufeffb", "a b"],
  ["a tag", "a\u{e0041}b", "a b"],
  ["half a character", "a\ud83d", "a"],
  ["other languages", "Ünï 日本 ✓", "Ünï 日本 ✓"],
])("%s", (_name, text, plain) => {
  expect(plainLine(text)).toBe(plain);
});

it("bounds the length", () => {
  expect(plainLine("x".repeat(100_000)).length).toBeLessThanOrEqual(500);
});

it("keeps the ends of lines, and nothing else that acts", () => {
  expect(plainLines("a\u001b[2J\n  b\r\u202ec")).toBe("a [2J\n  b c");
});
