/**
 * Buckets along the time axis. A bar fills its band; a line's points are at the start of their bucket, from edge to
 * edge.
 */
import { scaleBand, scalePoint } from "d3-scale";
import type { Box, Point } from "@/components/charts/geometry/boxes";

export interface TimeScale {
  /** One per bucket: the position of its point, its label and the crosshair. */
  readonly centres: readonly number[];
  /** The distance between two centres. */
  readonly step: number;
  /** The distance from a centre to the edge of its band; 0 for lines. */
  readonly halfBand: number;
  /** The band without its gaps; 0 for lines. */
  readonly barWidth: number;
}

export interface HoverPoint {
  /** Of the bucket. */
  readonly index: number;
  /** The height of the pointer. */
  readonly y: number;
}

/** More bars than these stand without gaps. */
const BARS_WITH_GAP_MAX = 80;
/** On either side of a bar, as a share of its band. */
const BAR_GAP = 0.12;

export function timeScale(starts: readonly number[], area: Box, kind: "bars" | "lines"): TimeScale {
  const range = [area.x, area.x + area.width];
  const gap = starts.length > BARS_WITH_GAP_MAX ? 0 : BAR_GAP;
  const scale =
    kind === "bars"
      ? scaleBand<number>()
          .domain(starts)
          .range(range)
          .paddingInner(2 * gap)
          .paddingOuter(gap)
      : scalePoint<number>().domain(starts).range(range);
  const barWidth = scale.bandwidth();
  return {
    centres: starts.map((start) => (scale(start) ?? area.x) + barWidth / 2),
    step: scale.step(),
    halfBand: kind === "bars" ? scale.step() / 2 : 0,
    barWidth,
  };
}

/** The bucket whose centre is nearest to a point of the area; null outside of it. */
export function bucketAt(time: TimeScale, area: Box, { x, y }: Point): HoverPoint | null {
  const [first] = time.centres;
  const isWithin = x >= area.x && x <= area.x + area.width && y >= area.y && y <= area.y + area.height;
  if (first === undefined || area.width === 0 || !isWithin) return null;
  const nearest = Math.round((x - first) / time.step);
  return { index: Math.min(Math.max(nearest, 0), time.centres.length - 1), y };
}

/** The box over the buckets between two indexes in any order: whole bands for bars, from point to point for lines. */
export function selectionBox(time: TimeScale, area: Box, from: number, to: number): Box {
  const left = (time.centres[Math.min(from, to)] ?? area.x) - time.halfBand;
  const right = (time.centres[Math.max(from, to)] ?? area.x) + time.halfBand;
  return { ...area, x: left, width: right - left };
}
