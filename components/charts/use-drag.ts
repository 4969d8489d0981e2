import { useState } from "react";
import type { TimeModel } from "@/components/charts/prepare/time-model";

export interface Drag {
  /** The indexes of the first and last bucket of the current selection; null while it covers fewer than two. */
  readonly stretch: { readonly from: number; readonly to: number } | null;
  readonly start: (index: number) => void;
  readonly move: (index: number) => void;
  readonly finish: () => void;
  readonly cancel: () => void;
}

/** Selects a time span of at least two buckets with the mouse. Without `onRange`, nothing is drawn. */
export function useDrag(model: TimeModel, onRange: ((from: Date, to: Date) => void) | undefined): Drag {
  // Instants: the buckets of a live chart move on while a person draws.
  const [ends, setEnds] = useState<{ from: number; to: number } | null>(null);
  const instantOf = (index: number) => model.buckets[index]?.at;
  const indexOf = (instant: number) => model.buckets.findIndex(({ at }) => at === instant);
  const [from, to] = ends ? [indexOf(ends.from), indexOf(ends.to)] : [-1, -1];
  return {
    stretch: from !== to && from >= 0 && to >= 0 ? { from, to } : null,
    start: (index) => {
      const at = instantOf(index);
      if (onRange && at !== undefined) setEnds({ from: at, to: at });
    },
    move: (index) => {
      const at = instantOf(index);
      if (ends && at !== undefined) setEnds({ ...ends, to: at });
    },
    finish: () => {
      if (ends && ends.from !== ends.to) {
        const [first, last] = [Math.min(ends.from, ends.to), Math.max(ends.from, ends.to)];
        onRange?.(new Date(first), new Date(last + model.stepMs));
      }
      setEnds(null);
    },
    cancel: () => setEnds(null),
  };
}
