"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import {
  customRangeText,
  defaultRange,
  knownText,
  type PresetText,
  resolveRange,
  stepOf,
  type TimeRange,
} from "@/components/layout/time-range/range";

export interface TimeRangeControl extends TimeRange {
  /** A preset's text, or one from `customRangeText`. */
  set: (text: string) => void;
  /** A range drawn on a chart. */
  setBetween: (from: Date, to: Date) => void;
}

const every = (stepMs: number | null) => (watch: () => void) => {
  if (stepMs === null) return () => undefined;
  let timer: ReturnType<typeof setTimeout>;
  const arm = () => {
    timer = setTimeout(
      () => {
        watch();
        arm();
      },
      stepMs - (Date.now() % stepMs) + 5,
    );
  };
  arm();
  return () => clearTimeout(timer);
};

/**
 * The page's time range, from `?range=`. `from` and `to` are rounded to the range's step and advance with it: use them
 * in query inputs unchanged, and keep the previous data while the next loads. A page that offers `all` passes
 * `offersAll`.
 */
export function useTimeRange(fallback: PresetText = defaultRange, offersAll = false): TimeRangeControl {
  const [asked, setText] = useQueryState("range", parseAsString.withOptions({ history: "push" }));
  const text = knownText(asked, fallback, offersAll);
  useEffect(() => {
    // Synchronises the address: a range that the page does not know would name one time and show another.
    if (asked !== null && asked !== text) void setText(null, { history: "replace" });
  }, [asked, text, setText]);
  const stepMs = stepOf(text);
  const watch = useMemo(() => every(stepMs), [stepMs]);
  const step = () => (stepMs === null ? 0 : Math.floor(Date.now() / stepMs));
  const current = useSyncExternalStore(watch, step, step);
  return useMemo(() => {
    const set = (next: string) => void setText(next === fallback ? null : next);
    return {
      ...resolveRange(text, stepMs === null ? 0 : current * stepMs, fallback, offersAll),
      set,
      setBetween: (from, to) => set(customRangeText(from, to)),
    };
  }, [text, stepMs, current, fallback, offersAll, setText]);
}
