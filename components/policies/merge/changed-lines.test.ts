import { describe, expect, it } from "vitest";
import { changedLines } from "@/components/policies/merge/changed-lines";

const base = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
const text = (lines: readonly string[]) => lines.join("\n");

describe("where a text differs", () => {
  it("is said by the lines of the newer one", () => {
    expect(changedLines(text(base), text(base.with(2, "x")))).toBe("line 3");
    expect(changedLines(text(base), text(base.toSpliced(2, 1, "x", "y", "z")))).toBe("lines 3-5");
    expect(changedLines(text(base), text(base.with(0, "x").with(8, "y").with(9, "z")))).toBe("lines 1 and 9-10");
  });
  it("says where lines only went", () => {
    expect(changedLines(text(base), text(base.toSpliced(4, 2)))).toBe("a removal at line 5");
    expect(changedLines(text(base), text(base.with(0, "x").toSpliced(8, 1)))).toBe("line 1 and a removal at line 9");
  });
  it("names a few places and counts the others", () => {
    const changed = base.map((line, at) => (at % 2 === 0 ? `${line}!` : line));
    expect(changedLines(text(base), text(changed))).toBe("lines 1, 3, 5 and 7 and 2 more changes");
  });
  it("is nothing for the same text", () => expect(changedLines("a", "a")).toBe(""));
});
