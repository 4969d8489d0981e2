"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { printTerm } from "@/components/ui/filter/filter-text";

/** Addresses of this page's calls, or sessions, with one filter chip, in the same range. */
export function useCallsHref(view: "calls" | "sessions" = "calls"): (key: string, value: string) => string {
  const params = useSearchParams();
  const range = params.get("range");
  return useCallback(
    (key, value) => {
      const next = new URLSearchParams({ view, q: printTerm({ key, value }) });
      if (range !== null) next.set("range", range);
      return `/spend?${next}`;
    },
    [range, view],
  );
}
