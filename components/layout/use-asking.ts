"use client";

import { useState } from "react";
import { type Filter, printFilter } from "@/components/ui/filter/filter-text";
import type { Sort } from "@/components/ui/table/types";

/** The query of a list as the person chose it: a range that moves with the clock stays the same query. */
export const listQuestion = (filter: Filter, sort: Sort | null | undefined, rangeLabel = ""): string =>
  JSON.stringify([printFilter(filter), sort?.id ?? null, sort?.desc ?? null, rangeLabel]);

/**
 * True while the shown rows answer an earlier question than the page's current one. A list that only follows the clock
 * or the live stream keeps its rows and is not asking.
 */
export function useAsking(isPlaceholder: boolean, question: string): boolean {
  const [answered, setAnswered] = useState(question);
  if (!isPlaceholder && answered !== question) setAnswered(question);
  return isPlaceholder && answered !== question;
}
