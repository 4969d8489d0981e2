/** Stacked bars. */
import { stack, stackOffsetDiverging } from "d3-shape";
import { type Box, round } from "@/components/charts/geometry/boxes";
import type { TimeScale } from "@/components/charts/geometry/time-scale";
import type { Bucket } from "@/components/charts/prepare/time-model";

/**
 * The bars of each of the series at `indexes`: stacked in that order, upwards from zero and, for values below it,
 * downwards. A gap and a zero have no bar.
 */
export function barBoxes(
  buckets: readonly Bucket[],
  indexes: readonly number[],
  time: TimeScale,
  heightOf: (value: number) => number,
): Box[][] {
  const stacked = stack<Bucket, number>()
    .keys(indexes)
    .value((bucket, index) => bucket.values[index] ?? 0)
    .offset(stackOffsetDiverging)(buckets);
  // Whole pixels, so that all bars are equally wide; the gaps take up the rest.
  const width = time.barWidth > 1 ? Math.round(time.barWidth) : time.barWidth;
  return stacked.map((series) =>
    [...series.entries()].flatMap(([at, [low, high]]) => {
      const centre = time.centres[at];
      if (centre === undefined || low === high) return [];
      const top = heightOf(high);
      return [{ x: centre - time.barWidth / 2, y: top, width, height: heightOf(low) - top }];
    }),
  );
}

/** Boxes as one path to fill. */
export const boxesPath = (boxes: readonly Box[]): string =>
  boxes
    .map(({ x, y, width, height }) => {
      const across = round(width);
      return `M${round(x)} ${round(y)}h${across}v${round(height)}h${-across}z`;
    })
    .join("");
