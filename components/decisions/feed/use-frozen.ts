"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { frozenAt, frozenRange } from "@/components/decisions/query";
import type { TimeRange } from "@/components/layout/time-range/range";
import type { DecisionRange } from "@/server/decisions/schema";

export interface Frozen {
  /** Null while the list follows. */
  readonly at: Date | null;
  /** The range of the list: the page's own, or as much of it that ends at the instant. */
  readonly range: DecisionRange;
  /** The current end of the page's range. */
  readonly until: Date;
  readonly freeze: (at: Date) => void;
  readonly resume: () => void;
  /** Moves the frozen instant, starting from now if nothing is frozen. A step past now resumes following. */
  readonly step: (minutes: number) => void;
}

/** The instant at which the list is frozen, kept in the URL as `?at=`. */
export function useFrozen({ from, to }: TimeRange): Frozen {
  const [text, setText] = useQueryState("at", parseAsString.withOptions({ history: "push" }));
  return useMemo(() => {
    const at = frozenAt(text);
    const freeze = (next: Date) => void setText(next.toISOString());
    const resume = () => void setText(null);
    const step = (minutes: number) => {
      const next = (at?.getTime() ?? Date.now()) + minutes * 60_000;
      if (next >= Date.now()) resume();
      else freeze(new Date(next));
    };
    return { at, range: at ? frozenRange({ from, to }, at) : { from, to }, until: to, freeze, resume, step };
  }, [text, from, to, setText]);
}
