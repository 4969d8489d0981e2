/**
 * Things by size, the largest first, the rest as "other", each with its share of all.
 */
import { assignColours, otherColour } from "@/components/charts/prepare/colours";

export interface RankItem {
  name: string;
  /** Null is not known: listed last, in no share. */
  value: number | bigint | null;
  label?: string;
  href?: string;
  colour?: string;
}

export interface Ranked {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  /** Share of the sum of all known values; null when the sum is unknown. */
  readonly share: number | null;
  /** Length relative to the longest bar, for drawing. */
  readonly length: number;
  readonly colour: string;
  readonly href: string | null;
  /** The number of items in "other"; 1 for any other bar. */
  readonly things: number;
}

export function prepareRanking(items: readonly RankItem[], limit = 6): Ranked[] {
  const sorted = items
    .map((item) => ({ ...item, value: item.value === null ? null : Number(item.value) }))
    .toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1) || a.name.localeCompare(b.name));
  const whole = sorted.reduce((sum, item) => sum + (item.value ?? 0), 0);
  // "Other" for a single thing would only hide its name.
  const cut = sorted.length === limit + 1 ? sorted.length : limit;
  const rest = sorted.slice(cut);
  const restValue = rest.reduce((sum, item) => sum + (item.value ?? 0), 0);
  const longest = Math.max(0, restValue, ...sorted.map((item) => item.value ?? 0));
  const shareOf = (value: number | null) => (value === null || whole === 0 ? null : value / whole);
  const lengthOf = (value: number | null) => (value === null || longest === 0 ? 0 : value / longest);
  const colours = assignColours(items.map((item) => item.name));
  const ranked = sorted.slice(0, cut).map(
    (item): Ranked => ({
      name: item.name,
      label: item.label ?? item.name,
      value: item.value,
      share: shareOf(item.value),
      length: lengthOf(item.value),
      colour: item.colour ?? colours.get(item.name) ?? otherColour,
      href: item.href ?? null,
      things: 1,
    }),
  );
  if (rest.length === 0) return ranked;
  return [
    ...ranked,
    {
      name: "other",
      label: `${rest.length} others`,
      value: restValue,
      share: shareOf(restValue),
      length: lengthOf(restValue),
      colour: otherColour,
      href: null,
      things: rest.length,
    },
  ];
}
