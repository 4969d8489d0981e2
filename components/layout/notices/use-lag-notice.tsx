"use client";

import { useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";

const ASK_EVERY_MS = 5_000;
/** A reader of a page does not notice a shorter lag. */
const SHOWN_FROM_MS = 2_000;

/** A notice on every page while lists and sums lack the latest records. */
export function useLagNotice(): PageNotice | null {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.projections.lag.queryOptions(undefined, { refetchInterval: ASK_EVERY_MS }));
  if (data === undefined || data.ms < SHOWN_FROM_MS) return null;
  return {
    id: "lag",
    label: "Figures are behind",
    kind: "warning",
    icon: Hourglass,
    text: `Lists and figures are ${lengthOf(data.ms)} behind. Recent calls are recorded and will appear later.`,
  };
}

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
