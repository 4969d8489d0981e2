import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, diffTexts } from "@/components/ui/code/line-diff";

const words = fc.array(fc.constantFrom("a", "b", "c", "", "  d"), { maxLength: 30 });

describe("a diff", () => {
  it("tells the whole of both texts, in order", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const lines = diffLines(before, after);
        expect(lines.filter((line) => line.kind !== "added").map((line) => line.text)).toEqual(before);
        expect(lines.filter((line) => line.kind !== "removed").map((line) => line.text)).toEqual(after);
      }),
    );
  });
  it("says of no line that stayed that it changed, when only lines were added", () => {
    fc.assert(
      fc.property(words, words, fc.nat(), (text, more, at) => {
        const place = text.length === 0 ? 0 : at % text.length;
        const after = [...text.slice(0, place), ...more, ...text.slice(place)];
        expect(diffLines(text, after).filter((line) => line.kind === "removed")).toEqual([]);
      }),
    );
  });
  it("numbers the lines of each text", () => {
    const { hunks } = diffTexts("a\nb\nc\n", "a\nx\nc\n");
    expect(hunks[0]?.lines.map((line) => [line.kind, line.before, line.after])).toEqual([
      ["same", 1, 1],
      ["removed", 2, null],
      ["added", null, 2],
      ["same", 3, 3],
    ]);
  });
  it("shows three lines around each change and leaves the rest out", () => {
    const text = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const after = text.map((line, at) => (at === 5 || at === 30 ? "changed" : line));
    const { hunks, added, removed } = diffTexts(text.join("\n"), after.join("\n"));
    expect(hunks.map((hunk) => hunk.lines.length)).toEqual([8, 8]);
    expect([added, removed]).toEqual([2, 2]);
  });
  it("of a text with itself is nothing", () => {
    expect(diffTexts("a\nb", "a\nb\n").hunks).toEqual([]);
  });
  it("of two long strangers is found in good time", () => {
    const long = (name: string) => Array.from({ length: 5_000 }, (_, at) => `${name} ${at}`).join("\n");
    const startMs = performance.now();
    expect(diffTexts(long("a"), long("b"))).toMatchObject({ added: 5_000, removed: 5_000 });
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});
