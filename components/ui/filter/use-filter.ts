"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { type Filter, parseFilter, printFilter } from "@/components/ui/filter/filter-text";

/** The page's filter, kept in the URL as `?q=`. `keys` is a constant of the page. */
export function useFilter(keys: readonly string[]): [Filter, (next: Filter) => void] {
  const [text, setText] = useQueryState("q", parseAsString.withDefault("").withOptions({ history: "push" }));
  const filter = useMemo(() => parseFilter(text, keys), [text, keys]);
  return [filter, (next) => void setText(printFilter(next) || null)];
}
