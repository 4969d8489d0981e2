import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDiff } from "@/components/ui/code/line-diff";

const text = fc.array(fc.constantFrom("a", "b", "c", "", "  d"), { maxLength: 30 }).map((lines) => lines.join("\n"));
const without = (kind: "added" | "removed", before: string, after: string) =>
  lineDiff(before, after)
    .filter((line) => line.kind !== kind)
    .map((line) => line.text)
    .join("\n");

describe("a diff by lines", () => {
  it("holds both texts whole", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(without("added", before, after)).toBe(before);
        expect(without("removed", before, after)).toBe(after);
      }),
    );
  });
  it("keeps what stayed", () => {
    expect(lineDiff("a\nb\nc", "a\nx\nc").map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "same a",
      "removed b",
      "added x",
      "same c",
    ]);
  });
  it("has no line for a text that is not there", () => {
    expect(lineDiff("", "a").map((line) => line.kind)).toEqual(["added"]);
    expect(lineDiff("", "")).toEqual([]);
  });
  it("does not compute forever over two long texts", () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`).join("\n");
    expect(lineDiff(long("a"), long("b"))).toHaveLength(40_000);
  });
});
