import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFilter, printFilter, valuesOf, withoutTerm, withTerm } from "@/components/ui/filter/filter-text";

const keys = ["verdict", "tool", "agent"];

describe("the text of a filter", () => {
  it("is chips and free words, in any order", () => {
    expect(parseFilter('verdict:deny rm agent:"ci bot" -rf', keys)).toEqual({
      terms: [
        { key: "verdict", value: "deny" },
        { key: "agent", value: "ci bot" },
      ],
      text: "rm -rf",
    });
  });
  it("keeps a word with an unknown key as it was typed", () => {
    expect(parseFilter("http://localhost:3000 tool:shell", keys)).toEqual({
      terms: [{ key: "tool", value: "shell" }],
      text: "http://localhost:3000",
    });
  });
  it("keeps a key without a value, and a quote that never closes, as free text", () => {
    expect(parseFilter('tool: agent:"ci', keys).terms).toEqual([]);
    expect(parseFilter('tool: agent:"ci', keys).text).toBe('tool: agent:"ci');
  });
  it("says a repeated chip once", () => {
    expect(parseFilter("tool:shell tool:shell tool:edit", keys).terms).toHaveLength(2);
  });
  it("parses back to what was printed, whatever the values hold", () => {
    const term = fc.record({ key: fc.constantFrom(...keys), value: fc.string({ minLength: 1, unit: "binary" }) });
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const wanted = terms.reduce(withTerm, { terms: [], text: "free text" });
        expect(parseFilter(printFilter(wanted), keys)).toEqual(wanted);
      }),
    );
  });
  it("adds and removes one chip", () => {
    const filter = parseFilter("tool:shell tool:edit", keys);
    expect(valuesOf(filter, "tool")).toEqual(["shell", "edit"]);
    expect(printFilter(withoutTerm(filter, { key: "tool", value: "shell" }))).toBe("tool:edit");
  });
});
