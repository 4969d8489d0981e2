import { describe, expect, it } from "vitest";
import { assignColours, otherColour } from "@/components/charts/prepare/colours";
import { placeMarks } from "@/components/charts/prepare/marks";
import { prepareRanking } from "@/components/charts/prepare/ranking";
import { sparkPath } from "@/components/charts/prepare/spark";
import {
  bucketTotal,
  longestRun,
  prepareTime,
  type TimeModelInput,
  timeCsv,
} from "@/components/charts/prepare/time-model";
import { timeTicks } from "@/components/charts/prepare/time-ticks";
import { formatValue } from "@/components/charts/prepare/units";
import { roundStep, valueTicks } from "@/components/charts/prepare/value-ticks";

const MINUTE = 60_000;
const start = Date.parse("2026-11-21T10:00:00Z");
const at = (minute: number) => start + minute * MINUTE;
const input = (change: Partial<TimeModelInput>): TimeModelInput => ({
  rows: [],
  from: new Date(start),
  to: new Date(at(3)),
  stepMs: MINUTE,
  unit: "count",
  absent: "gap",
  ...change,
});

describe("a time model", () => {
  it("has every bucket of the range, and leaves one without a row as a gap", () => {
    const model = prepareTime(
      input({
        rows: [
          { at: at(0), series: "a", value: 4 },
          { at: at(2), series: "a", value: 0 },
        ],
      }),
    );
    expect(model.buckets.map((bucket) => bucket.values)).toEqual([[4], [null], [0]]);
  });
  it("takes a bucket without a row for none where rows are counts, but never one that has not happened", () => {
    const model = prepareTime(
      input({ rows: [{ at: at(0), series: "a", value: 4 }], absent: "zero", nowMs: at(1) + 5 }),
    );
    expect(model.buckets.map((bucket) => bucket.values)).toEqual([[4], [0], [null]]);
  });
  it("keeps a value that nobody knows apart from zero", () => {
    const model = prepareTime(input({ rows: [{ at: at(1), series: "a", value: null }], absent: "zero" }));
    expect(model.buckets[1]?.values).toEqual([null]);
    expect(model.buckets.map(bucketTotal)).toEqual([0, null, 0]);
  });
  it("names the six largest series and sums the rest as other", () => {
    const rows = [..."abcdefghi"].map((series, index) => ({ at: at(0), series, value: 100 - index }));
    const model = prepareTime(input({ rows }));
    expect(model.series.map((series) => series.name)).toEqual(["a", "b", "c", "d", "e", "f", "other"]);
    expect(model.series.at(-1)).toMatchObject({ total: 94 + 93 + 92, colour: otherColour });
    expect(model.buckets[0]?.values.at(-1)).toBe(94 + 93 + 92);
  });
  it("keeps the order and the presence of series that were asked for", () => {
    const model = prepareTime(
      input({ rows: [{ at: at(0), series: "deny", value: 9 }], order: ["allow", "deny"], labels: { deny: "Denied" } }),
    );
    expect(model.series.map((series) => series.label)).toEqual(["allow", "Denied"]);
  });
  it("draws as gaps the buckets in which nobody recorded, but not those that something was reported for later", () => {
    const minute = (n: number) => new Date(n * 60_000);
    const model = prepareTime({
      rows: [{ at: minute(2), series: "a", value: 3 }],
      from: minute(0),
      to: minute(5),
      stepMs: 60_000,
      unit: "count",
      absent: "zero",
      down: [{ from: minute(1), to: new Date(4.5 * 60_000) }],
    });
    expect(model.buckets.map(({ values }) => values)).toEqual([[0], [null], [3], [null], [0]]);
    expect(model.hasDowntime).toBe(true);
  });

  it("is empty when nothing but zeros and gaps is in it", () => {
    expect(prepareTime(input({ rows: [{ at: at(0), series: "a", value: 0n }] })).isEmpty).toBe(true);
    expect(prepareTime(input({ rows: [{ at: at(0), series: "a", value: 1n }] })).isEmpty).toBe(false);
  });
  it("exports gaps as blanks, and a name that is a formula as text", async () => {
    const rows = [
      { at: at(1), series: "a,b", value: 4 },
      { at: at(1), series: "=HYPERLINK(1)", value: -1 },
    ];
    const [head, first, second] = (await timeCsv(prepareTime(input({ rows, to: new Date(at(2)) })))).split("\r\n");
    expect(head?.split(",").sort()).toEqual(['"a', "'=HYPERLINK(1)", 'b"', "bucket start"]);
    expect([first, second]).toEqual([
      "2026-11-21T10:00:00.000Z,,",
      expect.stringMatching(/^2026-11-21T10:01:00.000Z,(4,-1|-1,4)$/),
    ]);
  });
});

describe("colours", () => {
  it("belong to the name, whatever else is on the chart and in whatever order", () => {
    const alone = assignColours(["claude-sonnet-4"]).get("claude-sonnet-4");
    expect(assignColours(["zz", "claude-sonnet-4"]).get("claude-sonnet-4")).toBe(alone);
    expect(assignColours(["b", "a"])).toEqual(assignColours(["a", "b"]));
  });
  it("are all different while there are enough", () => {
    const names = Array.from({ length: 12 }, (_, index) => `series ${index}`);
    expect(new Set(assignColours(names).values()).size).toBe(12);
  });
  it("leave a name that brings its own alone", () => {
    expect(assignColours(["deny"], { deny: "var(--deny-solid)" }).get("deny")).toBe("var(--deny-solid)");
  });
});

describe("a ranking", () => {
  it("puts the largest first, with shares of the whole", () => {
    const ranked = prepareRanking([
      { name: "a", value: 25 },
      { name: "b", value: 75n },
    ]);
    expect(ranked.map(({ name, share, length }) => [name, share, length])).toEqual([
      ["b", 0.75, 1],
      ["a", 0.25, 1 / 3],
    ]);
  });
  it("sums the rest, but never hides a single thing behind other", () => {
    const items = [..."abcdefgh"].map((name) => ({ name, value: 1 }));
    expect(prepareRanking(items).at(-1)).toMatchObject({ label: "2 others", value: 2, things: 2 });
    expect(prepareRanking(items.slice(0, 7))).toHaveLength(7);
  });
  it("has no share of nothing, and lists the unknown last", () => {
    const ranked = prepareRanking([
      { name: "a", value: null },
      { name: "b", value: 0 },
    ]);
    expect(ranked.map(({ name, value, share }) => [name, value, share])).toEqual([
      ["b", 0, null],
      ["a", null, null],
    ]);
  });
});

describe("the labels of a time axis", () => {
  const starts = (count: number, stepMs: number, from = start) =>
    Array.from({ length: count }, (_, index) => from + index * stepMs);
  it("stand at round times", () => {
    const { ticks } = timeTicks(starts(60, MINUTE, at(3)), MINUTE, 6, 0);
    expect(ticks.map((tick) => new Date(tick).toISOString().slice(11, 16))).toEqual([
      "10:15",
      "10:30",
      "10:45",
      "11:00",
    ]);
  });
  it("stand at the viewer's midnight for days", () => {
    const { ticks } = timeTicks(starts(7 * 24, 60 * MINUTE), 60 * MINUTE, 8, 2 * 60 * MINUTE);
    expect(new Set(ticks.map((tick) => new Date(tick).getUTCHours()))).toEqual(new Set([22]));
  });
});

describe("a sparkline", () => {
  it("is broken by a gap", () => expect(sparkPath([1, 2, null, 2, 1], 40, 10).match(/M/g)).toHaveLength(2));
  it("draws nothing from nothing", () => expect(sparkPath([null, null], 40, 10)).toBe(""));
  it("shows a lone value", () => expect(sparkPath([null, 3, null], 40, 10)).toContain("h2"));
});

describe("units", () => {
  it("are written as everywhere else", () => {
    expect(formatValue(4_213_750, "money")).toBe("$0.0042");
    expect(formatValue(1240, "ms")).toBe("1.2 s");
    expect(formatValue(12_300, "tokens")).toBe("12.3 k");
    expect(formatValue(12.345, "percent")).toBe("12.3 %");
  });
});

describe("the labels of a value axis", () => {
  const labels = (...input: Parameters<typeof valueTicks>) => {
    const { ticks, format } = valueTicks(...input);
    return ticks.map(format);
  };
  it.each([
    [0.85, 1],
    [1.7, 2],
    [2.55, 5],
    [0.0012, 0.002],
    [0.001, 0.001],
    [50, 50],
    [51, 100],
  ])("step of at least %d by %d", (atLeast, step) => expect(roundStep(atLeast)).toBe(step));
  it("have equal decimals, in money to the step's last digit", () => {
    expect(labels(0, 3_400_000_000, "money")).toEqual(["$0", "$1", "$2", "$3", "$4"]);
    expect(labels(0, 850_000_000, "money")).toEqual(["$0.00", "$0.50", "$1.00"]);
    expect(labels(0, 9_900_000, "money")).toEqual(["$0.000", "$0.005", "$0.010"]);
    expect(labels(0, 7_100_000_000_000, "money")).toEqual(["$0 k", "$2 k", "$4 k", "$6 k", "$8 k"]);
  });
  it("of counts are whole, and hold what lies below zero", () => {
    expect(labels(0, 1, "count")).toEqual(["0", "1"]);
    expect(labels(0, 1_200, "count")).toEqual(["0.0 k", "0.5 k", "1.0 k", "1.5 k"]);
    expect(labels(-1_500_000_000, 2_000_000_000, "money")).toEqual(["−$2", "−$1", "$0", "$1", "$2"]);
    expect(valueTicks(0, 0, "count").domain).toEqual([0, 1]);
  });
});

describe("marks on a time axis", () => {
  const mark = (minute: number, label: string) => ({ at: new Date(at(minute)), label });
  it("lie where they happened, and one place says all that lies too close", () => {
    const model = prepareTime(input({ to: new Date(at(4)), absent: "zero" }));
    const marks = [mark(3, "late"), mark(1, "first"), mark(1.01, "second"), mark(4, "after"), mark(-1, "before")];
    const placed = placeMarks(model, marks, "bars");
    expect(placed.map(({ share, marks }) => [share, marks.map(({ label }) => label)])).toEqual([
      [0.25, ["first", "second"]],
      [0.75, ["late"]],
    ]);
    expect(placeMarks(model, marks, "lines").at(-1)?.share).toBe(1);
  });
});

it("a series with few values in a row has a short longest run", () => {
  const values = [1, null, 2, 3, null, null, 4];
  expect(
    longestRun(
      values.map((value, index) => ({ at: at(index), values: [value] })),
      0,
    ),
  ).toBe(2);
});
