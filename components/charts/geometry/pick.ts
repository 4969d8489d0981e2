/** The bar under a point of a drawing of stacked bars. */
import type { Drawing } from "@/components/charts/geometry/drawing";
import type { HoverPoint } from "@/components/charts/geometry/time-scale";
import type { TimeModel } from "@/components/charts/prepare/time-model";

export interface ChartPick {
  /** The name of the series under the pointer; null above and between bars. */
  readonly series: string | null;
  /** The bucket. */
  readonly from: Date;
  readonly to: Date;
}

export function pickAt(
  model: TimeModel,
  hidden: ReadonlySet<string>,
  drawing: Drawing,
  { index, y }: HoverPoint,
): ChartPick | null {
  const bucket = model.buckets[index];
  if (bucket === undefined) return null;
  const height = valueAt(drawing, y);
  let top = 0;
  const under = model.series.find((series, place) => {
    if (hidden.has(series.name)) return false;
    top += bucket.values[place] ?? 0;
    return height !== null && height >= 0 && height < top;
  });
  return { series: under?.name ?? null, from: new Date(bucket.at), to: new Date(bucket.at + model.stepMs) };
}

/** The value at a height, by the labels of the axis; null where the axis has fewer than two. */
function valueAt({ plots: [plot] }: Drawing, y: number): number | null {
  const [low, high] = [plot?.labels[0], plot?.labels.at(-1)];
  if (!low || !high || low.y === high.y) return null;
  return low.value + ((low.y - y) / (low.y - high.y)) * (high.value - low.value);
}
