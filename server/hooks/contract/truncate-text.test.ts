import fc from "fast-check";
import { expect, it } from "vitest";
import { truncateText, truncateToLine } from "./truncate-text.ts";

it("a text that fits stays, a longer one ends in the mark, which counts", () => {
  expect(truncateText("abc", 3)).toBe("abc");
  expect(truncateText("abcd", 3)).toBe("ab…");
  expect(truncateText("abcd", 3, "")).toBe("abc");
  expect(truncateText("abcd", 0)).toBe("");
  expect(truncateText("", 0)).toBe("");
});

it("a pair of surrogates is kept or left out whole", () => {
  expect(truncateText("a😀b", 3)).toBe("a…");
  expect(truncateText("a😀bc", 4)).toBe("a😀…");
  expect(truncateText("😀😀", 3, "")).toBe("😀");
});

it("whatever the text, the result fits, is its beginning and is well-formed when the text is", () => {
  const text = fc.array(fc.constantFrom("a", "é", "😀", "\n"), { maxLength: 20 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.nat(30), fc.constantFrom("…", ""), (whole, max, mark) => {
      const cut = truncateText(whole, max, mark);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(cut).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      const beginning = cut === whole ? cut : cut.slice(0, cut.length - mark.length);
      expect(whole.startsWith(beginning)).toBe(true);
    }),
  );
});

it("the first line has the mark behind when it is cut or more lines follow", () => {
  expect(truncateToLine("one\ntwo", 10)).toBe("one…");
  expect(truncateToLine("one", 3)).toBe("one");
  expect(truncateToLine("four", 3)).toBe("fo…");
  expect(truncateToLine("four\n", 3)).toBe("fo…");
  expect(truncateToLine("one\ntwo", 10, "")).toBe("one");
});
