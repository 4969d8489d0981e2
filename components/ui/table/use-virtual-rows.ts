"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import type { RefObject } from "react";

/** The rows to draw, and the empty height above and below them. */
export interface VirtualRows {
  indexes: readonly number[];
  before: number;
  after: number;
  measure: (element: Element | null) => void;
  scrollTo: (index: number) => void;
}

export interface VirtualRowsInput {
  count: number;
  rowHeight: number;
  /** Extra room at the top of the scroller that hides rows: a sticky header. */
  headHeight: number;
  scroller: RefObject<HTMLElement | null>;
  keyOf: (index: number) => string;
  /** False draws every row: a short list that takes its own height. */
  enabled: boolean;
}

export function useVirtualRows({
  count,
  rowHeight,
  headHeight,
  scroller,
  keyOf,
  enabled,
}: VirtualRowsInput): VirtualRows {
  const virtual = useVirtualizer({
    count,
    enabled,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // Measured heights are cached by key: cards on a narrow screen and rows on a wide one differ.
    getItemKey: (index) => `${rowHeight} ${keyOf(index)}`,
    overscan: 12,
    scrollPaddingStart: headHeight,
    // The size for the server and the first paint, before anything is measured.
    initialRect: { width: 1200, height: 900 },
  });
  if (!enabled) {
    return {
      indexes: Array.from({ length: count }, (_, index) => index),
      before: 0,
      after: 0,
      measure: () => undefined,
      scrollTo: () => undefined,
    };
  }
  const items = virtual.getVirtualItems();
  return {
    indexes: items.map((item) => item.index),
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement,
    scrollTo: (index) => virtual.scrollToIndex(index),
  };
}
