import { expect, it } from "vitest";
import { layOutDrawing } from "@/components/charts/geometry/drawing";
import { pickAt } from "@/components/charts/geometry/pick";
import { prepareTime } from "@/components/charts/prepare/time-model";

const model = prepareTime({
  rows: [
    { at: 0, series: "low", value: 4 },
    { at: 0, series: "high", value: 4 },
    { at: 60_000, series: "high", value: 2 },
  ],
  from: new Date(0),
  to: new Date(120_000),
  stepMs: 60_000,
  unit: "count",
  absent: "zero",
  order: ["low", "high"],
});
const drawing = layOutDrawing(model, "bars", new Set(), { width: 400, height: 200 });
const { area } = drawing;
/** The height of a value on the axis, whose top is the highest label. */
const heightOf = (value: number): number => {
  const labels = drawing.plots[0]?.labels ?? [];
  const top = labels.at(-1);
  return area.y + area.height - (value / (top?.value ?? 1)) * (area.y + area.height - (top?.y ?? 0));
};
const seriesAt = (index: number, value: number, hidden: readonly string[] = []) =>
  pickAt(model, new Set(hidden), drawing, { index, y: heightOf(value) })?.series;

it("names the series under the pointer, and none above the bar", () => {
  expect(seriesAt(0, 1)).toBe("low");
  expect(seriesAt(0, 6)).toBe("high");
  expect(seriesAt(1, 1)).toBe("high");
  expect(seriesAt(1, 3)).toBeNull();
});

it("names the bucket, and nothing outside of the buckets", () => {
  expect(pickAt(model, new Set(), drawing, { index: 1, y: heightOf(1) })).toMatchObject({
    from: new Date(60_000),
    to: new Date(120_000),
  });
  expect(pickAt(model, new Set(), drawing, { index: 9, y: 0 })).toBeNull();
});

it("leaves hidden series out", () => expect(seriesAt(0, 1, ["low"])).toBe("high"));
