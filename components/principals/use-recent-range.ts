"use client";

import { useMemo } from "react";
import { useNow } from "@/components/ui/format/clock";

const HOUR_MS = 3_600_000;
const DAYS = 30;

/** The last 30 days, to the full hour; null before the browser knows the time. */
export function useRecentRange(): { readonly from: Date; readonly to: Date } | null {
  const now = useNow(HOUR_MS);
  const until = now === null ? null : Math.ceil(now / HOUR_MS) * HOUR_MS;
  return useMemo(
    () => (until === null ? null : { from: new Date(until - DAYS * 24 * HOUR_MS), to: new Date(until) }),
    [until],
  );
}
