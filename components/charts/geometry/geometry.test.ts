import { describe, expect, it } from "vitest";
import { barBoxes, boxesPath } from "@/components/charts/geometry/bars";
import { panelBoxes, plotArea } from "@/components/charts/geometry/boxes";
import { type Drawing, type DrawingKind, layOutDrawing } from "@/components/charts/geometry/drawing";
import { lineShape } from "@/components/charts/geometry/lines";
import { fitLabels } from "@/components/charts/geometry/time-labels";
import { bucketAt, selectionBox, timeScale } from "@/components/charts/geometry/time-scale";
import { tooltipPosition } from "@/components/charts/geometry/tooltip-position";
import { type Bucket, prepareTime } from "@/components/charts/prepare/time-model";

const MINUTE = 60_000;
/** Of a drawing of 260 by 132 pixels. */
const area = { x: 52, y: 8, width: 200, height: 100 };
const starts = (count: number) => Array.from({ length: count }, (_, index) => index * MINUTE);
const bucketsOf = (...rows: (number | null)[][]): Bucket[] =>
  rows.map((values, index) => ({ at: index * MINUTE, values }));
const near = (value: number): number => expect.closeTo(value, 6);

describe("the area of values", () => {
  it("is what axes and margins leave, and never less than nothing", () => {
    expect(plotArea({ width: 260, height: 132 })).toEqual(area);
    expect(plotArea({ width: 10, height: 10 })).toMatchObject({ width: 0, height: 0 });
  });
  it("is cut into panels of one height, with room for the label of a zero and of a highest value between them", () => {
    expect(panelBoxes(area, 1)).toEqual([area]);
    expect(panelBoxes(area, 2)).toEqual([
      { ...area, height: 42 },
      { ...area, y: 66, height: 42 },
    ]);
    expect(panelBoxes(area, 0)).toEqual([]);
  });
});

describe("the axis of time", () => {
  it("gives each bar a band, of which a gap takes 12 % on either side", () => {
    const time = timeScale(starts(4), area, "bars");
    expect(time).toEqual({
      centres: [77, 127, 177, 227].map(near),
      step: near(50),
      halfBand: near(25),
      barWidth: near(38),
    });
  });
  it("has no gaps from the 81st bar on", () => {
    expect(timeScale(starts(80), area, "bars").barWidth).toBeCloseTo(2.5 * 0.76);
    expect(timeScale(starts(81), area, "bars").barWidth).toBeCloseTo(200 / 81);
  });
  it("has the points of lines from edge to edge, a single one in the middle", () => {
    expect(timeScale(starts(5), area, "lines")).toEqual({
      centres: [52, 102, 152, 202, 252].map(near),
      step: near(50),
      halfBand: 0,
      barWidth: 0,
    });
    expect(timeScale(starts(1), area, "lines").centres).toEqual([near(152)]);
  });
  it("takes from one bucket to another whole bands of bars, and of lines the stretch between their points", () => {
    const bars = selectionBox(timeScale(starts(4), area, "bars"), area, 2, 1);
    expect(bars).toEqual({ ...area, x: near(102), width: near(100) });
    const lines = selectionBox(timeScale(starts(5), area, "lines"), area, 1, 3);
    expect(lines).toEqual({ ...area, x: near(102), width: near(100) });
  });
});

describe("the bucket under the pointer", () => {
  const at = (kind: "bars" | "lines", count: number, x: number, y = 20) =>
    bucketAt(timeScale(starts(count), area, kind), area, { x, y })?.index ?? null;
  it.each([
    [52, 0],
    [101, 0],
    [103, 1],
    [252, 3],
  ])("at %d is bar %d: the whole band counts", (x, index) => expect(at("bars", 4, x)).toBe(index));
  it.each([
    [52, 0],
    [76, 0],
    [78, 1],
    [252, 4],
  ])("at %d is point %d: the nearest counts", (x, index) => expect(at("lines", 5, x)).toBe(index));
  it("is none beside the area, nor where there are none", () => {
    const around = [at("bars", 4, 51), at("bars", 4, 253), at("bars", 4, 60, 7), at("bars", 4, 60, 109)];
    expect(around).toEqual([null, null, null, null]);
    expect(at("bars", 0, 60)).toBeNull();
    const narrow = { ...area, width: 0 };
    expect(bucketAt(timeScale(starts(2), narrow, "lines"), narrow, { x: 52, y: 20 })).toBeNull();
  });
  it("comes with the height of the pointer", () => {
    expect(bucketAt(timeScale(starts(4), area, "bars"), area, { x: 60, y: 33 })).toEqual({ index: 0, y: 33 });
  });
});

describe("bars", () => {
  const whole = { x: 0, y: 0, width: 300, height: 100 };
  const heightOf = (value: number) => 50 - value * 10;
  const draw = (...rows: (number | null)[][]) =>
    barBoxes(bucketsOf(...rows), [0, 1], timeScale(starts(rows.length), whole, "bars"), heightOf);
  it("stand upon one another in the order of the series; a gap and a zero have none", () => {
    const [first, second] = draw([3, 1], [null, 2], [0, null]);
    expect(first).toEqual([{ x: near(12), y: 20, width: 76, height: 30 }]);
    expect(second).toEqual([
      { x: near(12), y: 10, width: 76, height: 10 },
      { x: near(112), y: 30, width: 76, height: 20 },
    ]);
  });
  it("hang from zero for what lies below it", () => {
    const [first, second] = draw([2, -1], [-3, -1], [0, 0]);
    expect(first?.map(({ y, height }) => [y, height])).toEqual([
      [30, 20],
      [50, 30],
    ]);
    expect(second?.map(({ y, height }) => [y, height])).toEqual([
      [50, 10],
      [80, 10],
    ]);
  });
  it("are as wide as whole pixels, unless they are narrower than one", () => {
    const widthOf = (count: number) => {
      const time = timeScale(starts(count), whole, "bars");
      return barBoxes(bucketsOf(...Array.from({ length: count }, () => [1])), [0], time, heightOf)[0]?.[0]?.width;
    };
    expect(widthOf(7)).toBe(33);
    expect(widthOf(400)).toBeCloseTo(0.75);
  });
  it("are one path", () => {
    const boxes = [
      { x: 1, y: 2, width: 3, height: 4 },
      { x: 10.1234, y: 0, width: 3, height: 1 },
    ];
    expect(boxesPath(boxes)).toBe("M1 2h3v4h-3zM10.12 0h3v1h-3z");
    expect(boxesPath([])).toBe("");
  });
});

describe("lines", () => {
  const draw = (...values: (number | null)[]) =>
    lineShape(
      bucketsOf(...values.map((value) => [value])),
      0,
      timeScale(starts(values.length), { x: 0, y: 0, width: 10 * (values.length - 1), height: 100 }, "lines"),
      (value) => 100 - value,
    );
  it("are broken at gaps, and a value between two gaps is a dot", () => {
    const { path, dots, dotRadius, points } = draw(1, 2, 3, 4, null, 6, null, 8, 9);
    expect(path).toBe("M0,99L10,98L20,97L30,96M50,94ZM70,92L80,91");
    expect([dots, dotRadius]).toEqual([[{ x: 50, y: 94 }], 2]);
    expect([points[3], points[4]]).toEqual([{ x: 30, y: 96 }, null]);
  });
  it("are dots where fewer than four values stand in a row", () => {
    const { path, dots, dotRadius } = draw(1, 2, 3, null, 5);
    expect(path).toBe("");
    expect([dots.map(({ x }) => x), dotRadius]).toEqual([[0, 10, 20, 40], 3]);
  });
  it("keep a zero apart from a gap", () => expect(draw(0, 0, 0, 0).path).toBe("M0,100L10,100L20,100L30,100"));
});

describe("labels of the time axis", () => {
  const labels = (...places: number[]) => places.map((x) => ({ x, text: "10:00" }));
  it("are left out where they would touch, but never the last, which stays inside the drawing", () => {
    expect(fitLabels(labels(20, 45, 60, 95), 100).map(({ x }) => x)).toEqual([20, 85]);
    expect(fitLabels(labels(20, 60, 120), 200).map(({ x }) => x)).toEqual([20, 60, 120]);
    expect(fitLabels([], 200)).toEqual([]);
    const days = [20, 61, 102, 143, 184].map((x) => ({ x, text: "17 Nov" }));
    expect(fitLabels(days, 220).map(({ x }) => x)).toEqual([20, 102, 184]);
  });
});

describe("a tooltip", () => {
  const place = (x: number, y: number, height = 40) => tooltipPosition({ x, y }, { width: 80, height }, area);
  it("lies to the right and below, or on the other side where there is no room", () => {
    expect(place(60, 20)).toEqual({ x: 70, y: 30 });
    expect(place(200, 90)).toEqual({ x: 110, y: 40 });
  });
  it("begins inside the area however large it is", () => expect(place(60, 20, 150)).toEqual({ x: 70, y: 8 }));
});

describe("a drawing", () => {
  const model = prepareTime({
    rows: [
      { at: 0, series: "a", value: 3 },
      { at: MINUTE, series: "b", value: 40 },
    ],
    from: new Date(0),
    to: new Date(4 * MINUTE),
    stepMs: MINUTE,
    unit: "count",
    absent: "zero",
    order: ["a", "b"],
  });
  const draw = (kind: DrawingKind, ...hidden: string[]) =>
    layOutDrawing(model, kind, new Set(hidden), { width: 260, height: 132 });
  const labelsOf = ({ plots }: Drawing) => plots.map(({ labels }) => labels.map(({ text }) => text));
  it("has bars of all series on one scale", () => {
    const drawing = draw("bars");
    expect(drawing.area).toEqual(area);
    expect(drawing.plots.map(({ bars, lines }) => [bars.map(({ path }) => path), lines])).toEqual([
      [["M58 100.5h38v7.5h-38z", "M108 8h38v100h-38z"], []],
    ]);
    expect(labelsOf(drawing)).toEqual([["0", "10", "20", "30", "40"]]);
    expect(drawing.plots[0]?.labels.map(({ y }) => y)).toEqual([108, 83, 58, 33, 8].map(near));
  });
  it("has panels, each on a scale of its own", () => {
    const drawing = draw("panels");
    expect(drawing.plots.map(({ key, box }) => [key, box.y])).toEqual([
      ["a", 8],
      ["b", 66],
    ]);
    expect(labelsOf(drawing)).toEqual([
      ["0", "2", "4"],
      ["0", "20", "40"],
    ]);
  });
  it("has lines that keep their colours while others are hidden", () => {
    const drawing = draw("lines", "a");
    expect(drawing.plots[0]?.lines.map(({ series }) => series)).toEqual([model.series[1]]);
    expect(drawing.plots[0]?.bars).toEqual([]);
  });
  it("has axes, and nothing between them, where everything is hidden", () => {
    expect(draw("bars", "a", "b").plots.map(({ bars }) => bars)).toEqual([[]]);
    expect(draw("panels", "a", "b").plots).toEqual([]);
  });
  it("labels the axis of time at the centres of bars", () => {
    const { timeLabels, time } = draw("bars");
    expect(timeLabels.length).toBeGreaterThan(0);
    for (const { x } of timeLabels) expect(time.centres).toContain(x);
  });
});
