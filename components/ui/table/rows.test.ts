import { describe, expect, it } from "vitest";
import { rowsToCsv, rowsToJson } from "@/components/ui/table/export-rows";
import { arrivals, holdBack, keepEqual, neighbours, withPushedOut } from "@/components/ui/table/hold-rows";

const rows = (text: string) => [...text].map((id) => ({ id }));
const idOf = (row: { id: string }) => row.id;

describe("rows that arrive while somebody reads", () => {
  it("wait above the row that was first, and are counted", () => {
    expect(holdBack(rows("xyabc"), idOf, [..."abc"])).toEqual({ shown: rows("abc"), waiting: 2 });
  });
  it("show at once when nobody is reading further down", () => {
    expect(holdBack(rows("xyabc"), idOf, null).waiting).toBe(0);
  });
  it("keep the order in which they are held when an older one moves to the top", () => {
    expect(holdBack(rows("cxab"), idOf, [..."abc"])).toEqual({ shown: rows("abc"), waiting: 1 });
  });
  it("are followed by rows that were loaded below", () => {
    expect(holdBack(rows("xabcde"), idOf, [..."abc"])).toEqual({ shown: rows("abcde"), waiting: 1 });
  });
  it("are gone with a row that has left the list", () => {
    expect(holdBack(rows("xac"), idOf, [..."abc"])).toEqual({ shown: rows("ac"), waiting: 1 });
  });
  it("show at once when all rows that were read have left the list", () => {
    expect(holdBack(rows("xy"), idOf, [..."a"])).toEqual({ shown: rows("xy"), waiting: 0 });
  });
  it("are told apart from older rows that were loaded below", () => {
    expect([...arrivals(new Set("abc"), rows("xabcd"), idOf)]).toEqual(["x"]);
  });
  it("are none when the whole list is another one", () => {
    expect(arrivals(new Set("abc"), rows("xyz"), idOf).size).toBe(0);
    expect(arrivals(new Set(), rows("abc"), idOf).size).toBe(0);
  });
});

describe("held rows that newer ones push past the loaded pages", () => {
  const known = (loaded: string, pushedOut = "") => ({ loaded: rows(loaded), pushedOut: rows(pushedOut) });
  it("stay in their order, for as long as they are held", () => {
    const once = withPushedOut(known("abcd"), rows("xyab"), idOf, [..."abcd"]);
    expect(once).toEqual(known("xyab", "cd"));
    const twice = withPushedOut(once, rows("vwxy"), idOf, [..."abcd"]);
    expect(twice).toEqual(known("vwxy", "abcd"));
    expect(withPushedOut(twice, rows("vwxy"), idOf, [..."abcd"])).toEqual(twice);
    expect(withPushedOut(twice, rows("vwxy"), idOf, [..."vwxy"])).toEqual(known("vwxy"));
    expect(withPushedOut(twice, rows("vwxy"), idOf, null)).toEqual(known("vwxy"));
  });
  it("stay when an older one moved to the top", () => {
    expect(withPushedOut(known("abcd"), rows("xdab"), idOf, [..."abcd"])).toEqual(known("xdab", "c"));
  });
  it("stay when every loaded row is new", () => {
    expect(withPushedOut(known("abc"), rows("xyz"), idOf, [..."abc"])).toEqual(known("xyz", "abc"));
  });
  it("keep their index: only the rows above wait", () => {
    expect(holdBack(rows("wxyzabcd"), idOf, [..."abcd"])).toEqual({ shown: rows("abcd"), waiting: 4 });
  });
  it("are in their own place once older pages are loaded", () => {
    expect(withPushedOut(known("xyab", "cd"), rows("xyabcdef"), idOf, [..."abcd"])).toEqual(known("xyabcdef"));
  });
  it("are not those that left the list, from between the others or from its end", () => {
    expect(withPushedOut(known("abcd"), rows("acde"), idOf, [..."abcd"])).toEqual(known("acde"));
    expect(withPushedOut(known("abcd"), rows("abc"), idOf, [..."abcd"])).toEqual(known("abc"));
  });
});

describe("rows that were fetched again", () => {
  const at = (ms: number) => ({ id: "a", at: new Date(ms), cost: 3n });
  it("are the objects from before where nothing in them changed, wherever they stand now", () => {
    const [known, next] = [at(1), { ...at(2), id: "b" }];
    const kept = keepEqual(new Map([["a", known]]), [next, at(1)], idOf);
    expect(kept[0]).toBe(next);
    expect(kept[1]).toBe(known);
  });
  it("are new where anything did", () => {
    const changed = at(2);
    expect(keepEqual(new Map([["a", at(1)]]), [changed], idOf)[0]).toBe(changed);
    const dearer = { ...at(1), cost: 4n };
    expect(keepEqual(new Map([["a", at(1)]]), [dearer], idOf)[0]).toBe(dearer);
  });
});

describe("walking a list", () => {
  it("stops at both ends and at a row that is not there", () => {
    expect(neighbours(rows("abc"), idOf, "a")).toEqual({ previous: null, next: "b" });
    expect(neighbours(rows("abc"), idOf, "c")).toEqual({ previous: "b", next: null });
    expect(neighbours(rows("abc"), idOf, "q")).toEqual({ previous: null, next: null });
  });
});

describe("copied rows", () => {
  const columns = [
    { id: "name", header: "Name", value: (row: { name: string; cost: bigint | null }) => row.name },
    { id: "cost", header: "Cost, nano", value: (row: { cost: bigint | null }) => row.cost },
    { id: "actions", header: "Actions" },
  ];
  const data = [
    { name: 'say "hi",\nyou', cost: 9007199254740993n },
    { name: "=1+1", cost: null },
  ];
  it("quote what CSV would break on, and disarm formulas", async () => {
    expect(await rowsToCsv(columns, data)).toBe('Name,"Cost, nano"\r\n"say ""hi"",\nyou",9007199254740993\r\n\'=1+1,');
  });
  it("keep every digit in JSON and say null for what is missing", () => {
    expect(JSON.parse(rowsToJson(columns, data))).toEqual([
      { name: 'say "hi",\nyou', cost: "9007199254740993" },
      { name: "=1+1", cost: null },
    ]);
  });
});
