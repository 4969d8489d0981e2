"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type FilterTerm, printFilter } from "@/components/ui/filter/filter-text";

/** The address of the list of calls with these filters, over the same time. */
export function useCallsHref(): (terms: readonly FilterTerm[]) => string {
  const params = useSearchParams();
  const range = params.get("range");
  return useMemo(
    () => (terms) => {
      const next = new URLSearchParams(range === null ? {} : { range });
      next.set("q", printFilter({ terms, text: "" }));
      return `/activity?${next}`;
    },
    [range],
  );
}
