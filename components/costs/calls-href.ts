"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { printTerm } from "@/components/ui/filter/filter-text";

/** Addresses of this page's calls with one filter chip, in the same range. */
export function useCallsHref(): (key: string, value: string) => string {
  const params = useSearchParams();
  const range = params.get("range");
  return useCallback(
    (key, value) => {
      const next = new URLSearchParams({ view: "calls", q: printTerm({ key, value }) });
      if (range !== null) next.set("range", range);
      return `/spend?${next}`;
    },
    [range],
  );
}
