/** The types of the taxonomy. In a pattern, `<anything>` is one run of characters without a blank, `...` any text or nothing. */

export const RADII = ["low", "medium", "high"] as const;
/** The reach of a command's damage. */
export type Radius = (typeof RADII)[number];

export interface DestructiveRow {
  readonly category: string;
  readonly radius: Radius;
  readonly pattern: string;
}

/** Rows that share a category and a radius. */
export function createTaxonomyRows(
  category: string,
  radius: Radius,
  ...patterns: readonly string[]
): readonly DestructiveRow[] {
  return patterns.map((pattern) => ({ category, radius, pattern }));
}
