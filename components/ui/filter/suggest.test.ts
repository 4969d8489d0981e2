import { describe, expect, it } from "vitest";
import { noFilter } from "@/components/ui/filter/filter-text";
import { suggest, suggestionId } from "@/components/ui/filter/suggest";

const fields = [
  {
    key: "verdict",
    values: [
      { value: "allow", count: 900 },
      { value: "deny", count: 12 },
    ],
  },
  {
    key: "tool",
    values: [
      { value: "shell", count: 3 },
      { value: "edit_file", count: 40 },
    ],
  },
  { key: "agent" },
];
const offered = (typed: string, filter = noFilter) => suggest(typed, fields, filter).map(suggestionId);

describe("what a filter bar offers", () => {
  it("starts with the keys", () => expect(offered("")).toEqual(["verdict:", "tool:", "agent:"]));
  it("narrows the keys while one is typed", () => expect(offered("t")).toEqual(["tool:"]));
  it("puts the most frequent values of a key first", () => {
    expect(offered("tool:")).toEqual(["tool:edit_file", "tool:shell"]);
  });
  it("finds a value without its key", () => expect(offered("den")).toEqual(["verdict:deny"]));
  it("leaves out what is already chosen", () => {
    expect(offered("verdict:", { terms: [{ key: "verdict", value: "deny" }], text: "" })).toEqual(["verdict:allow"]);
  });
  it("offers nothing for a key whose values are not known yet", () => expect(offered("agent:x")).toEqual([]));
});
