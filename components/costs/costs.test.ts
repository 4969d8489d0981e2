import { describe, expect, it } from "vitest";
import { driversOf, driverText, factorText, previousWords } from "@/components/costs/driver-model";
import { forecastOf } from "@/components/costs/forecast";
import { callsInput, filterKeys, UNNAMED, viewOf } from "@/components/costs/query";
import { sortedLines, sortedTrees, tokensIn } from "@/components/costs/sort-order";
import { barDurationText, spendModel } from "@/components/costs/spend-model";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { parseSort, printSort } from "@/components/ui/table/sort-text";
import { type CostLineView, type CostSeriesView, costCallsInput, type SessionCostView } from "@/server/costs/schema";

const range = { from: new Date("2026-11-20T00:00:00Z"), to: new Date("2026-11-21T00:00:00Z") };
const tokens = { input: 1n, cachedInput: 2n, cachedWrite: 4n, output: 8n, reasoning: 1_000n };

describe("the address of the page", () => {
  it("asks for the calls that its chips name, and for nothing it does not know", () => {
    const filter = parseFilter(
      `model:"a b" model:${UNNAMED} pricing:free pricing:cheap agent:x by:harness by:robot gpt`,
      filterKeys,
    );
    const input = callsInput(range, filter);
    expect(input).toMatchObject({
      models: ["a b", ""],
      pricings: ["free"],
      agents: ["x"],
      sessions: [],
      makers: ["harness"],
    });
    expect(input.text).toBe("gpt");
    expect(costCallsInput.safeParse(input).success).toBe(true);
  });
  it("opens the calls when it holds a filter, else the breakdown", () => {
    expect([viewOf(null, null), viewOf(null, "model:x"), viewOf("sessions", "q"), viewOf("nonsense", null)]).toEqual([
      "breakdown",
      "calls",
      "sessions",
      "breakdown",
    ]);
  });
  it("keeps an order, and falls back when it names no column", () => {
    const fallback = { id: "spend", desc: true };
    expect(parseSort(printSort({ id: "calls", desc: true }), ["calls"], fallback)).toEqual({ id: "calls", desc: true });
    expect(parseSort("constructor", ["calls"], fallback)).toBe(fallback);
    expect(parseSort(null, ["calls"], fallback)).toBe(fallback);
  });
});

const line = (name: string, nano: bigint, calls = 1, unpriced = 0): CostLineView => ({
  name,
  ledger: { calls, priced: calls - unpriced, free: 0, unpriced, withoutUsage: 0, nano, tokens },
});

describe("orders", () => {
  it("put what nobody knows last, whichever way", () => {
    const lines = [line("unknown", 0n, 3, 3), line("small", 1n), line("large", 9n)];
    const names = (desc: boolean) => sortedLines(lines, { id: "spend", desc }).map(({ name }) => name);
    expect(names(true)).toEqual(["large", "small", "unknown"]);
    expect(names(false)).toEqual(["small", "large", "unknown"]);
  });
  it("move whole trees, each parent still right before its own", () => {
    const session = (sessionId: string, depth: number, nano: bigint): SessionCostView => {
      const amount = { calls: 1, priced: 1, free: 0, unpriced: 0, nano, tokens: 0n };
      const at = range.from;
      const ids = { agentId: "a", sessionId, agentName: "a", title: null, parentSessionId: null, endedAs: null };
      return { ...ids, depth, descendants: 0, firstAt: at, lastAt: at, own: amount, tree: amount };
    };
    const rows = [
      session("a", 0, 1n),
      session("a1", 1, 100n),
      session("b", 0, 5n),
      session("b1", 1, 2n),
      session("b2", 2, 1n),
    ];
    expect(sortedTrees(rows, { id: "spend", desc: true }).map(({ sessionId }) => sessionId)).toEqual([
      "b",
      "b1",
      "b2",
      "a",
      "a1",
    ]);
  });
});

it("tokens of each kind are added once, and reasoning never", () => {
  expect(tokensIn(tokens)).toBe(15n);
});

describe("spend over time", () => {
  const series: CostSeriesView = {
    ...range,
    bucketMs: 3_600_000,
    keys: ["dear", "other", ""],
    points: [
      { at: new Date("2026-11-20T01:00:00Z"), key: "dear", nano: 5n, calls: 2, unpriced: 1 },
      { at: new Date("2026-11-20T02:00:00Z"), key: "dear", nano: 0n, calls: 3, unpriced: 3 },
      { at: new Date("2026-11-20T02:00:00Z"), key: "other", nano: 2n, calls: 1, unpriced: 0 },
      { at: new Date("2026-11-20T02:00:00Z"), key: "", nano: 1n, calls: 1, unpriced: 0 },
      { at: new Date("2026-11-20T03:00:00Z"), key: null, nano: 7n, calls: 9, unpriced: 0 },
    ],
  };
  it("is zero where nothing was called, and a gap where nothing called has a price", () => {
    const model = spendModel(series, range.to.getTime());
    const dear = model.series.findIndex(({ name }) => name === "dear");
    expect(model.buckets.slice(0, 4).map(({ values }) => values[dear])).toEqual([0, 5, null, 0]);
    expect(model.buckets).toHaveLength(24);
  });
  it("tells a model that is called other from the rest, and names what has no name", () => {
    const model = spendModel(series, range.to.getTime());
    expect(model.series.map(({ label, total }) => [label, total])).toEqual([
      ["dear", 5],
      ["other", 2],
      [UNNAMED, 1],
      ["others", 7],
    ]);
  });
  it("has not spent anything in hours to come", () => {
    const model = spendModel(series, Date.parse("2026-11-20T05:30:00Z"));
    expect(model.buckets.map(({ values }) => values[0] === null)).toEqual(
      Array.from({ length: 24 }, (_, hour) => hour === 2 || hour > 5),
    );
  });
  it.each([
    [60_000, "minute"],
    [120_000, "2 minutes"],
    [10_800_000, "3 hours"],
    [86_400_000, "day"],
  ])("says what a bar of %d ms stands for", (ms, words) => {
    expect(barDurationText(ms)).toBe(words);
  });
});

describe("drivers of change", () => {
  const of = (...lines: CostLineView[]) => ({ lines, rest: null });
  it("are exact, the largest first in either direction, and say by calls and by price", () => {
    const now = of(line("bugfix", 9_007_199_254_740_993n, 190), line("gone up", 5n, 1), line("same", 7n));
    const before = of(line("bugfix", 4_000_000_000_000_000n, 100), line("same", 7n), line("stopped", 9n, 3));
    const drivers = driversOf(now, before);
    expect(drivers.map(({ name, nano }) => [name, nano])).toEqual([
      ["bugfix", 5_007_199_254_740_993n],
      ["stopped", -9n],
      ["gone up", 5n],
    ]);
    expect(drivers.map(driverText)).toEqual([
      "1.9× calls, 1.2× price per call",
      "no priced calls now",
      "no priced calls before",
    ]);
  });
  it("name unpriced calls, and never take them for nothing", () => {
    const [half, unknown] = driversOf(of(line("half", 6n, 4, 2), line("unknown", 0n, 3, 3)), of(line("half", 2n, 2)));
    expect(half && driverText(half)).toBe("1.0× calls, 3.0× price per call, 2 unpriced calls not included");
    expect(unknown?.nano).toBeNull();
    expect(unknown && driverText(unknown)).toBe(
      "not comparable: one period has no priced calls, 3 unpriced calls not included",
    );
  });
  it("leave out a name that the other period only sums up with the rest", () => {
    const rest = { groups: 2, ledger: line("", 1n).ledger };
    expect(driversOf(of(line("new", 5n)), { lines: [], rest })).toEqual([]);
  });
  it.each([
    [19n, 10n, "1.9×"],
    [100n, 10n, "10.0×"],
    [101n, 10n, ">10×"],
    [1n, 10n, "0.1×"],
    [1n, 11n, "<0.1×"],
  ])("%d of %d is %s", (now, before, words) => expect(factorText({ now, before })).toBe(words));
  it.each([
    [61, "previous hour"],
    [24 * 60 + 1, "previous 24 hours"],
    [7 * 24 * 60, "previous 7 days"],
    [15, "previous 15 minutes"],
  ])("compare %d minutes with the %s", (minutes, words) => {
    expect(previousWords({ from: new Date(0), to: new Date(minutes * 60_000) })).toBe(words);
  });
});

it("a forecast is linear, and none where the pace is unknown", () => {
  const { ledger } = line("m", 240n);
  const previous = { ...range, calls: 1, unpriced: 0, nano: 1n };
  expect(forecastOf({ ...range, ledger, previous }, true).nano).toBe(7_200n);
  for (const [summary, isLive] of [
    [{ ...range, ledger, previous }, false],
    [{ ...range, ledger, previous: null }, true],
    [{ ...range, ledger: line("m", 0n, 2, 2).ledger, previous }, true],
  ] as const)
    expect(forecastOf(summary, isLive)).toMatchObject({ nano: null, reason: expect.any(String) });
});
