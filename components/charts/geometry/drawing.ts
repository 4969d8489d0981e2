/** A time model as shapes at their places, ready for SVG. */
import { scaleLinear } from "d3-scale";
import { barBoxes, boxesPath } from "@/components/charts/geometry/bars";
import { type Box, panelBoxes, plotArea, type Size } from "@/components/charts/geometry/boxes";
import { type LineShape, lineShape } from "@/components/charts/geometry/lines";
import { fitLabels, type TimeLabel } from "@/components/charts/geometry/time-labels";
import { type TimeScale, timeScale } from "@/components/charts/geometry/time-scale";
import type { Series, TimeModel } from "@/components/charts/prepare/time-model";
import { timeTicks } from "@/components/charts/prepare/time-ticks";
import { rangeOf, valueTicks } from "@/components/charts/prepare/value-ticks";
import { offsetMs, viewerZone } from "@/components/ui/format/zone";

/** `panels`: separate bars for each series, one above the other, each with its own scale. */
export type DrawingKind = "bars" | "lines" | "panels";

export interface ValueLabel {
  readonly value: number;
  readonly y: number;
  readonly text: string;
}

export interface BarSeries {
  readonly series: Series;
  /** All its bars, to fill. */
  readonly path: string;
}

export interface LineSeries extends LineShape {
  readonly series: Series;
}

export interface Plot {
  /** Unique among all plots of the drawing. */
  readonly key: string;
  readonly box: Box;
  readonly labels: readonly ValueLabel[];
  readonly bars: readonly BarSeries[];
  readonly lines: readonly LineSeries[];
}

export interface Drawing {
  readonly size: Size;
  /** All plots together. */
  readonly area: Box;
  readonly time: TimeScale;
  readonly timeLabels: readonly TimeLabel[];
  readonly plots: readonly Plot[];
}

interface ShownSeries {
  readonly series: Series;
  readonly index: number;
}

const TIME_LABELS_MAX = 7;
const VALUE_STEPS = { alone: 4, panel: 2 } as const;

export function layOutDrawing(model: TimeModel, kind: DrawingKind, hidden: ReadonlySet<string>, size: Size): Drawing {
  const shown = model.series
    .map((series, index) => ({ series, index }))
    .filter(({ series }) => !hidden.has(series.name));
  const area = plotArea(size);
  const starts = model.buckets.map((bucket) => bucket.at);
  const time = timeScale(starts, area, kind === "lines" ? "lines" : "bars");
  const groups = kind === "panels" ? shown.map((one) => [one]) : [shown];
  const boxes = panelBoxes(area, groups.length);
  const plots = groups.map((group, at) => layOutPlot(model, kind, group, time, boxes[at] ?? area));
  return { size, area, time, timeLabels: layOutTimeLabels(model, starts, time, size), plots };
}

function layOutTimeLabels(model: TimeModel, starts: readonly number[], time: TimeScale, size: Size): TimeLabel[] {
  // The zone's offset at the end of the range: a change of clocks inside it moves a label by an hour at most.
  const offset = offsetMs(starts.at(-1) ?? 0, viewerZone());
  const { ticks, format } = timeTicks(starts, model.stepMs, TIME_LABELS_MAX, offset);
  const labelled = new Set(ticks);
  const labels = starts.flatMap((start, at) => {
    const x = time.centres[at];
    return x !== undefined && labelled.has(start) ? [{ x, text: format(start) }] : [];
  });
  return fitLabels(labels, size.width);
}

function layOutPlot(
  { buckets, unit }: TimeModel,
  kind: DrawingKind,
  shown: readonly ShownSeries[],
  time: TimeScale,
  box: Box,
): Plot {
  const indexes = shown.map(({ index }) => index);
  const [low, high] = rangeOf(buckets, indexes, kind !== "lines");
  const { ticks, domain, format } = valueTicks(low, high, unit, VALUE_STEPS[kind === "panels" ? "panel" : "alone"]);
  const heightOf = scaleLinear()
    .domain(domain)
    .range([box.y + box.height, box.y]);
  const bars = kind === "lines" ? [] : barBoxes(buckets, indexes, time, heightOf);
  return {
    key: kind === "panels" ? (shown[0]?.series.name ?? "") : "all",
    box,
    labels: ticks.map((value) => ({ value, y: heightOf(value), text: format(value) })),
    bars: shown.flatMap(({ series }, at) => {
      const boxes = bars[at];
      return boxes === undefined ? [] : [{ series, path: boxesPath(boxes) }];
    }),
    lines:
      kind === "lines"
        ? shown.map(({ series, index }) => ({ series, ...lineShape(buckets, index, time, heightOf) }))
        : [],
  };
}
