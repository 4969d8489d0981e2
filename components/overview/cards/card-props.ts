import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";

/** The range of the page, for a card of it. */
export interface CardProps {
  readonly range: TimeRangeControl;
  /** The range as the input of a query; the same object until it moves on. */
  readonly input: { readonly from: Date; readonly to: Date };
  /** Ends a sentence: "in the last 24 hours". */
  readonly during: string;
}

/** An address with the range of the page. */
export const withRange = (path: string, range: string): string =>
  `${path}${path.includes("?") ? "&" : "?"}range=${encodeURIComponent(range)}`;
