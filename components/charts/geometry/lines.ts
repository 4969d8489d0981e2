/** Lines, and dots where no line can be. */
import { line } from "d3-shape";
import type { Point } from "@/components/charts/geometry/boxes";
import type { TimeScale } from "@/components/charts/geometry/time-scale";
import { type Bucket, longestRun } from "@/components/charts/prepare/time-model";

export interface LineShape {
  /** One point per bucket; null is a gap. */
  readonly points: readonly (Point | null)[];
  /** To stroke: broken at gaps, and empty for a series that is dots. */
  readonly path: string;
  readonly dots: readonly Point[];
  readonly dotRadius: number;
}

/** Fewer values in a row make no line: they are dots. */
const LINE_POINTS_MIN = 4;

const linePath = line<Point | null>()
  .defined((point) => point !== null)
  .x((point) => point?.x ?? 0)
  .y((point) => point?.y ?? 0);

/** The shape of the series at `index`. */
export function lineShape(
  buckets: readonly Bucket[],
  index: number,
  time: TimeScale,
  heightOf: (value: number) => number,
): LineShape {
  const points = buckets.map(({ values }, at): Point | null => {
    const [value, x] = [values[index] ?? null, time.centres[at]];
    return value === null || x === undefined ? null : { x, y: heightOf(value) };
  });
  const isDotted = longestRun(buckets, index) < LINE_POINTS_MIN;
  const dots = points.filter((point, at): point is Point => point !== null && (isDotted || isAlone(points, at)));
  return { points, path: isDotted ? "" : (linePath(points) ?? ""), dots, dotRadius: isDotted ? 3 : 2 };
}

/** A value between two gaps: no line leads to it. */
const isAlone = (points: readonly (Point | null)[], at: number): boolean =>
  (points[at - 1] ?? null) === null && (points[at + 1] ?? null) === null;
