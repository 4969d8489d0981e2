import { type RollupRange, rollupRangeOf } from "../recording/index.ts";

/** The equally long stretch before; null when nothing was ever recorded in it or before. */
export function previousOf(stretch: RollupRange, extent: { readonly first: Date } | null): RollupRange | null {
  const from = new Date(2 * stretch.from.getTime() - stretch.to.getTime());
  if (extent === null || extent.first >= stretch.from) return null;
  return rollupRangeOf({ from, to: stretch.from });
}
