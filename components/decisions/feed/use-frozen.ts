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
  /** Where the page's range ends now. */
  readonly until: Date;
  readonly freeze: (at: Date) => void;
  readonly resume: () => void;
  /** Moves the instant; from now when nothing is frozen yet. Beyond now it follows again. */
  readonly step: (minutes: number) => void;
}

/** The instant at which the list stands still, kept in the URL as `?at=`. */
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
